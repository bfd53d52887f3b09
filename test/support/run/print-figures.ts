/** Prints a measurement for the reader of the output; nothing is asserted about it. */
export function printFigures(sentence: string): void {
  console.info(sentence);
}
