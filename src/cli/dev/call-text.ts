import type { AskedFacts, CallFacts, ChangeFacts } from '../../compose/dev/call-facts.ts';
import { printable } from '../output.ts';

/** What happened to a call, below its first line: in the order in which it happened. */
export function callText(call: CallFacts, headLine: string): string {
  const { up, asked, down, notForwarded, internal } = call;
  const lines = [
    ...up.flatMap((change) => changeLines('up', change)),
    ...(notForwarded.length === 0 ? [] : [['drop', `${notForwarded.join(', ')}: not in the contract`]]),
    ...(asked ? askedLines(asked) : []),
    ...down.flatMap((change) => changeLines('down', change)),
    ...(internal === null ? [] : [['why', internal]]),
  ];
  return [headLine, ...lines.map(([name = '', text = '']) => `  ${name.padEnd(4)}  ${printable(text)}`)].join(
    '\n',
  );
}

const VALUE_LENGTH_MAX = 60;
const BODY_LENGTH_MAX = 240;
const DIFFERENCES_MAX = 6;

function changeLines(direction: string, { change, differences, failure }: ChangeFacts): string[][] {
  if (failure !== null) return [[direction, `${change}: it has thrown: ${failure}`]];
  if (differences.length === 0) return [[direction, `${change}: nothing to do`]];
  const shown = differences.slice(0, DIFFERENCES_MAX).map(differenceText);
  const left = differences.length - shown.length;
  return [[direction, `${change}: ${[...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')}`]];
}

function differenceText({ place, was, is, renamedTo, times }: ChangeFacts['differences'][number]): string {
  const often = times > 1 ? ` (${times} times)` : '';
  if (renamedTo !== undefined) return `${place} → ${renamedTo}${often}`;
  if (was === undefined) return `${place} added: ${shortened(is, VALUE_LENGTH_MAX)}${often}`;
  if (is === undefined) return `${place} removed: ${shortened(was, VALUE_LENGTH_MAX)}${often}`;
  return `${place}: ${shortened(was, VALUE_LENGTH_MAX)} → ${shortened(is, VALUE_LENGTH_MAX)}${often}`;
}

function askedLines({
  by,
  method,
  target,
  body,
  status,
  answer,
  failure,
  durationMs,
}: AskedFacts): string[][] {
  const sent = body === null ? '' : ` ${shortened(body, BODY_LENGTH_MAX)}`;
  const got = failure ?? `${status}${answer === null ? '' : ` ${shortened(answer, BODY_LENGTH_MAX)}`}`;
  return [
    ['ask', `${by} ${method} ${target}${sent}`],
    ['got', `${got} (${Math.round(durationMs)} ms)`],
  ];
}

/** A body that is told in words is a text in brackets. */
function shortened(value: unknown, lengthMax: number): string {
  const text = typeof value === 'string' && value.startsWith('(') ? value : (JSON.stringify(value) ?? '');
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
}
