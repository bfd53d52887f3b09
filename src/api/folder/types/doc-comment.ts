import { isPart, textIn } from '../../document/parts.ts';

/** The words of a part of a document, as a comment that editors show; nothing where it has none. */
export function docComment(part: unknown, indent: string): string {
  if (!isPart(part)) return '';
  const words = [textIn(part, 'summary'), textIn(part, 'description')]
    .map((text) => text.trim())
    .filter(Boolean);
  const paragraphs = [...new Set(words), ...(part.deprecated === true ? ['@deprecated'] : [])];
  const lines = paragraphs.join('\n\n').replaceAll('*/', '*\\/').split(/\r?\n/);
  if (paragraphs.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const rows = lines.map((line) => `${indent} * ${line.trimEnd()}`.trimEnd());
  return `${indent}/**\n${rows.join('\n')}\n${indent} */\n`;
}
