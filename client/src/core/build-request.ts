import type { CallData } from './call-data.ts';
import { UsageError } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface BuiltRequest {
  path: string;
  contentType: string | null;
  body: string | null;
}

export function buildRequest(call: CallData, parameters: readonly unknown[], input: Fields): BuiltRequest {
  const path = fillPath(call.path, parameters);
  switch (call.send) {
    case 'query': {
      const query = String(searchParams(input));
      return { path: query === '' ? path : `${path}?${query}`, contentType: null, body: null };
    }
    case 'form':
      return { path, contentType: 'application/x-www-form-urlencoded', body: String(searchParams(input)) };
    case 'json':
      return { path, contentType: 'application/json', body: JSON.stringify(input) };
    case null:
      return { path, contentType: null, body: null };
    default:
      return call.send satisfies never;
  }
}

function fillPath(path: string, parameters: readonly unknown[]): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = parameters[index];
    index += 1;
    // These would lead to another address: an empty one to the list, dots to the folder above.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new UsageError(`"${name}" has to be an id, and ${JSON.stringify(value)} is none.`);
    }
    return encodeURIComponent(value);
  });
}

function searchParams(fields: Fields): URLSearchParams {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)]));
}
