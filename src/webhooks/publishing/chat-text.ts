import type { Format } from '../types.ts';

/** The body of an event as it is sent raw. */
export interface RawBody extends Readonly<Record<string, unknown>> {
  type: string;
  api_version: string;
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}

// Discord takes no more characters in a message; Slack would cut at 40,000.
const TEXT_LENGTH_MAX = 2_000;

/** A message that people read in a channel, in the shape that each of the two takes. */
export function chatText(format: Exclude<Format, 'raw'>, body: RawBody): object {
  switch (format) {
    case 'slack':
      return { text: cut(`*${body.type}* ${forSlack(subjectOf(body))} (${body.timestamp})`) };
    case 'discord':
      // A product named "@everyone" must not ping the channel.
      return {
        content: cut(`**${body.type}** ${forDiscord(subjectOf(body))} (${body.timestamp})`),
        allowed_mentions: { parse: [] },
      };
    default:
      return format satisfies never;
  }
}

/** The subject of the event: by name where it has one, and by its id. */
function subjectOf({ data }: RawBody): string {
  const id = Object.entries(data).find(([key, value]) => /(^|_)id$/.test(key) && typeof value === 'string');
  const parts = [data.name, id?.[1], data.version].filter((part) => typeof part === 'string');
  return parts.join(' ');
}

function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function forDiscord(text: string): string {
  return text.replaceAll(/[\\*_~`|>[\]()#-]/g, '\\$&');
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length <= TEXT_LENGTH_MAX ? text : `${letters.slice(0, TEXT_LENGTH_MAX - 1).join('')}…`;
}
