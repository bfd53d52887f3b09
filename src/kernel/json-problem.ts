import { BRACE, BRACE_END, BRACKET, BRACKET_END, COMMA, endOfString, QUOTE } from './json-text.ts';

const LEVELS_MAX = 500;

/** A list or an object that is open: an object has names, once one was seen. */
interface Open {
  isObject: boolean;
  names?: Set<string>;
}

/** Why a text is refused although it is JSON; null if it is not. It is looked through once, and nothing is built of it. */
export function jsonProblem(text: string): string | null {
  const open: Open[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const problem = isName ? nameProblem(text.slice(at, end + 1), open.at(-1)) : null;
      if (problem !== null) return problem;
      isName = false;
      at = end;
    } else if (code === BRACE || code === BRACKET) {
      isName = code === BRACE;
      open.push({ isObject: isName });
      if (open.length > LEVELS_MAX) return `it is nested more than ${LEVELS_MAX} levels deep`;
    } else if (code === BRACE_END || code === BRACKET_END) {
      isName = false;
      open.pop();
    } else if (code === COMMA) isName = open.at(-1)?.isObject === true;
  }
  return null;
}

function nameProblem(quoted: string, object: Open | undefined): string | null {
  // `"a"` and `"\u0061"` are one name.
  const name: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
  // Another program might take it for a prototype.
  if (name === '__proto__') return 'nothing can be called __proto__';
  // Which of the two counts depends on who reads them (RFC 8259 §4).
  if (object?.names?.has(name)) return 'a name stands twice in one object';
  if (object) object.names = (object.names ?? new Set()).add(name);
  return null;
}
