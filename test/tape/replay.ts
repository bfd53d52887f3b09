import { type Exchange, type Tape, tapeDifferences } from '@dateline/versions';
import type { Played } from './player.ts';

/** Where a play differs from its tape, in sentences that name the exchange and the path in it. */
export function replayProblems(tape: Tape, played: readonly Played[]): string[] {
  const again: Tape = { ...tape, exchanges: played.map(({ exchange }) => exchange) };
  return tapeDifferences(tape, again).map(({ exchange, path, kind }) => {
    const [recorded, now] = [answerOf(tape, exchange), answerOf(again, exchange)];
    return `"${exchange}": ${path} was ${kind}.\n  recorded ${recorded}\n  now      ${now}`;
  });
}

function answerOf({ exchanges }: Tape, name: string): string {
  const exchange: Exchange | undefined = exchanges.find((one) => one.name === name);
  const { status, headers, body } = exchange?.answer ?? {};
  return `${status} ${JSON.stringify(body)} ${JSON.stringify(headers)}`;
}
