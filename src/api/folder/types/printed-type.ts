/** A type as it is written, by itself and as part of a larger one. */
export interface Printed {
  text: string;
  /** In parentheses where it needs them. */
  inBrackets: string;
}

export function atom(text: string): Printed {
  return { text, inBrackets: text };
}

export const unknownType = atom('unknown');

const WIDTH_MAX = 100;

/** Several types as one: any of them, or all of them at once. */
export function combined(sign: '|' | '&', parts: readonly Printed[], indent: string): Printed {
  const different = [...new Map(parts.map((part) => [part.text, part])).values()];
  // Whatever is unknown takes everything else with it in a union, and says nothing in an intersection.
  if (sign === '|' && different.some(({ text }) => text === 'unknown')) return unknownType;
  const saying = different.filter(({ text }) => text !== 'unknown');
  const [first, ...others] = saying;
  if (first === undefined) return unknownType;
  if (others.length === 0) return first;
  const texts = saying.map(({ inBrackets }) => inBrackets);
  const line = texts.join(` ${sign} `);
  const isLong = !line.includes('\n') && line.length > WIDTH_MAX;
  const text = isLong ? texts.map((one) => `\n${indent}  ${sign} ${one}`).join('') : line;
  return { text, inBrackets: `(${text})` };
}
