import type { EventErrorClass } from '../../webhooks/deliveries/attempt.ts';

const messages: Readonly<Record<EventErrorClass, string>> = {
  address_not_allowed: 'The address is not allowed',
  dns: 'The name of the host could not be resolved',
  connection_refused: 'The connection was refused',
  unreachable: 'The host could not be reached',
  connection_reset: 'The connection was closed before the whole answer came',
  tls: 'No secure connection could be made',
  timeout: 'No whole answer came in time',
  bad_answer: 'The answer was not valid HTTP',
  redirect: 'It answered with a redirect, which is not followed',
  status: 'It answered with an error',
  stopped: 'The attempt was ended here before an answer came',
  payload_expired: 'Its body is no longer stored',
  not_rendered: 'Its body could not be rendered',
};

/** Why an attempt failed, in words: with the status, if there was one. */
export function failureMessage({ status, error }: { status: number | null; error: string }): string {
  const message = messages[error as EventErrorClass] ?? `It failed (${error})`;
  return status === null ? message : `${status}: ${message}`;
}
