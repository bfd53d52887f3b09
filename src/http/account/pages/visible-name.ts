/**
 * A name as people are shown it. Clients of older versions may have control and format characters in theirs, which are invisible
 * or turn the text around them: here they show.
 */
export function visibleName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}
