import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unaccounted } from '../support/documents/accounted.ts';
import { importedDocuments, importIntoFolder } from '../support/documents/imported-documents.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { usageIn, usageModule } from '../support/run/process-usage.ts';
import { runDateline } from '../support/service/spawn-dateline.ts';

const SECONDS_MAX = 20;
const MEGABYTES_MAX = 600;

describe.skipIf(importedDocuments === null)('a document of others, imported by one command', () => {
  it.each(importedDocuments ?? [])(
    '$name ($edition) can be served, and IMPORT.md accounts for every part of it',
    async ({ name, file }) => {
      const { folder, stderr } = await importIntoFolder(file, usageModule());
      const { seconds, megabytes } = usageIn(stderr);
      printFigures(
        `import of ${name}: ${seconds.toFixed(1)} s of processor time, ${Math.round(megabytes)} MB`,
      );
      expect(unaccounted(file, folder)).toEqual([]);
      const { code, stderr: said } = await runDateline(['contract', 'check', '--api', folder]);
      expect(said).toContain('is Next.');
      expect(code).toBe(0);
      expect(readFileSync(join(folder, 'IMPORT.md'), 'utf8')).toContain('## To decide');
      expect(seconds).toBeLessThan(SECONDS_MAX);
      expect(megabytes).toBeLessThan(MEGABYTES_MAX);
    },
  );
});
