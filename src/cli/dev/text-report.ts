import { styleText } from 'node:util';
import type { CallFacts } from '../../compose/dev/call-facts.ts';
import type { DevReport } from '../../compose/dev/dev-report.ts';
import { type Output, printable } from '../output.ts';
import { callText } from './call-text.ts';

export interface TextOptions {
  /** One line for each call. */
  isQuiet: boolean;
  hasColour: boolean;
}

/** Calls go to standard output; what becomes of edits goes to standard error. */
export function textReport({ text, note }: Output, { isQuiet, hasColour }: TextOptions): DevReport {
  const paint: Paint = (style, words) => (hasColour ? styleText(style, words) : words);
  return {
    served({ processorMs, warnings, newScopes }) {
      for (const warning of warnings) note(warning);
      if (newScopes.length > 0)
        note(`The demo client may use ${newScopes.join(', ')}: read its new token from quickstart.json.`);
      note(
        paint(
          'green',
          `Served: your edit answers from now on (${Math.round(processorMs)} ms of processor time).`,
        ),
      );
    },
    refused(problems, { isFirst }) {
      note(paint('red', isFirst ? NOT_YET : NOT_SERVED));
      note(problems);
    },
    restored: () => note('The folder is again as it is served.'),
    called: (call) => text(isQuiet ? headLine(call, paint) : callText(call, headLine(call, paint))),
  };
}

type Paint = (style: 'green' | 'yellow' | 'red', words: string) => string;

const NOT_YET = 'Not served yet: the folder has problems. Correct them and save; this waits.';
const NOT_SERVED = 'Not served: your edit has problems, and calls are answered by the last good one.';

function headLine(call: CallFacts, paint: Paint): string {
  const { status, method, path, version, standing, operation, durationMs, error } = call;
  const style = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const words = [
    paint(style, String(status)),
    `${method} ${printable(path)}`,
    `${version} (${standing})`,
    ...(operation === null ? [] : [operation]),
    ...(error === null ? [] : [error]),
    `${Math.round(durationMs)} ms`,
  ];
  return words.join('  ');
}
