import { ApiError } from '../../../../errors/api-error.ts';
import type { SentPair } from './read-pairs.ts';

/** The pairs of a query or of a form, as they were sent. */
export function pairsIn(text: string, where: 'query' | 'body'): SentPair[] {
  requireUtf8Escapes(text, where);
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, raw] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return { name: decodeText(name), raw, text: pair };
    });
}

const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

/** A percent sign that begins no escape is taken as it is. */
function requireUtf8Escapes(text: string, where: string): void {
  try {
    decodeURIComponent(text.replaceAll(LONE_PERCENT, ''));
  } catch {
    throw new ApiError('invalid_request', {
      detail: `The ${where} has a percent-encoding that is not UTF-8.`,
    });
  }
}

/** A name or a value without its percent-encoding; a plus sign is a space. */
export function decodeText(raw: string): string {
  if (!/[%+]/.test(raw)) return raw;
  return decodeURIComponent(raw.replaceAll('+', ' ').replaceAll(LONE_PERCENT, '%25'));
}
