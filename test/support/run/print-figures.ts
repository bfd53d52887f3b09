/** What a test measured, for whoever reads its output; nothing is asserted about it. */
export function printFigures(sentence: string): void {
  console.info(sentence);
}
