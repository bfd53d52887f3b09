import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CommandResult, runCommandLine } from '../service/command-line.ts';

/** A folder with documents, and an API folder beside them that is made of one; both go with the test. */
export interface ImportPlace {
  /** Holds all of it. */
  above: string;
  folder: string;
  write(file: string, content: string | Uint8Array | object): string;
  /** Runs the command; the outcome is whatever it is. */
  tryImport(file: string, ...options: string[]): Promise<CommandResult>;
  /** The same where it must succeed. */
  import(file: string, ...options: string[]): Promise<CommandResult>;
  /** Where it must be refused: its message. */
  refusal(file: string, ...options: string[]): Promise<string>;
  read(file: string): string;
  next(): Record<string, unknown>;
}

export function importPlace(): ImportPlace {
  const above = mkdtempSync(join(tmpdir(), 'dateline-import-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'made');
  const place: ImportPlace = {
    above,
    folder,
    write(file, content) {
      const path = join(above, 'documents', file);
      mkdirSync(dirname(path), { recursive: true });
      const isText = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(path, isText ? content : JSON.stringify(content, null, 2));
      return path;
    },
    tryImport: (file, ...options) => runCommandLine(['import', file, '--into', folder, ...options]),
    async import(file, ...options) {
      const result = await place.tryImport(file, ...options);
      if (result.code !== 0) throw new Error(`the import ended with ${result.code}: ${result.err}`);
      return result;
    },
    async refusal(file, ...options) {
      const { code, err } = await place.tryImport(file, ...options);
      if (code !== 1) throw new Error(`the import ended with ${code} and was to be refused: ${err}`);
      return err;
    },
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    next: () => JSON.parse(place.read('contract/next.yaml')),
  };
  return place;
}

/** A small document of OpenAPI 3, with these members besides. */
export function smallDocument(paths: object, others: object = {}, openapi = '3.1.0'): object {
  return { openapi, info: { title: 'Small', version: '1.0' }, paths, ...others };
}

/** An operation that answers with nothing to speak of. */
export function answering(others: object = {}): Record<string, unknown> {
  return {
    responses: {
      '200': { description: 'It.', content: { 'application/json': { schema: { type: 'object' } } } },
    },
    ...others,
  };
}
