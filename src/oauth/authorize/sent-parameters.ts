import { ApiError, quotableName } from '../../errors/api-error.ts';
import { hasTooManyPairs, PAIRS_MAX } from '../../kernel/url.ts';

/** The parameters of an authorization request as they were sent: a name may occur several times. */
export type SentParameters = ReadonlyMap<string, readonly string[]>;

export function readParameters(query: string): SentParameters {
  if (hasTooManyPairs(query))
    throw new ApiError('invalid_request', { detail: `There are more than ${PAIRS_MAX} parameters.` });
  const sent = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  return sent;
}

/** A parameter that occurs at most once. Without a value it counts as omitted (RFC 6749 §3.1). */
export function parameter(sent: SentParameters, name: string): string | undefined {
  const [value, ...more] = sent.get(name) ?? [];
  if (more.length > 0) throw new ApiError('invalid_request', { detail: `${name} is given more than once.` });
  // Control characters are never meant, and PostgreSQL cannot store NUL.
  if (value !== undefined && /\p{Cc}/u.test(value))
    throw new ApiError('invalid_request', { detail: `${name} contains a control character.` });
  return value === '' ? undefined : value;
}

/** RFC 6749 §3.1 forbids repetition for all parameters, also those we ignore. */
export function refuseRepeated(sent: SentParameters): void {
  const known = [...sent].find(([, values]) => values.length > 1)?.[0];
  if (known === undefined) return;
  const name = quotableName(known, 'A parameter');
  throw new ApiError('invalid_request', { detail: `${name} is given more than once.` });
}
