import { realpathSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in a file of a folder, as editors count: from 1. */
export interface SourcePlace {
  /** Relative to the folder. */
  file: string;
  line: number;
  column: number;
}

/** The place in the sources of a folder where an error was thrown; null where the stack names none of them. */
export function thrownAt(
  error: unknown,
  { folder, runAs, text }: { folder: string; runAs: string; text: string },
): SourcePlace | null {
  const map = sourceMapIn(text);
  for (const frame of framesOf(error)) {
    // Where Node reads source maps itself, stacks name the sources.
    const place = map && frame.file === runAs ? sourceOf(map, frame) : frame;
    const file = place && relative(realpathSync(folder), place.file);
    if (file && !file.startsWith(`..${sep}`) && !file.includes('node_modules')) return { ...place, file };
  }
  return null;
}

function framesOf(error: unknown): SourcePlace[] {
  const { stack = '' } = error instanceof Error ? error : {};
  return [...stack.matchAll(/^ +at .*?((?:file:\/)?\/[^()\s]+):(\d+):(\d+)\)?$/gm)].map(
    ([, file = '', line, column]) => ({
      file: file.startsWith('file:') ? fileURLToPath(file) : file,
      line: Number(line),
      column: Number(column),
    }),
  );
}

function sourceMapIn(text: string): SourceMap | null {
  const [, encoded] = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(text) ?? [];
  return encoded === undefined ? null : new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()));
}

function sourceOf(map: SourceMap, { file, line, column }: SourcePlace): SourcePlace | null {
  const found = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in found)) return null;
  return {
    file: resolve(dirname(file), found.originalSource),
    line: found.originalLine + 1,
    column: found.originalColumn + 1,
  };
}
