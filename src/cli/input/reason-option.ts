import type { Command, CommandInput } from '../command.ts';
import type { Json } from '../json.ts';

export const reason = { placeholder: 'text', description: 'Why, for the audit log' } as const;

/** The body of a request with a reason, where one was given. */
export function reasonBody({ optional }: CommandInput): Json {
  const text = optional('reason');
  return text === undefined ? {} : { reason: text };
}

/** Disables what the argument names, and shows the answer. */
export function disable(collection: string): Command['run'] {
  return async (input) => {
    const path = `/operator/${collection}/${encodeURIComponent(input.argument)}/disable`;
    input.output.item(await input.api().post(path, reasonBody(input)));
  };
}
