import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/cli/dateline.ts';
import { namesSecretFile } from '../src/config/secret-files.ts';
import { settings } from '../src/config/settings.ts';
import { settingsMarkdown } from '../src/config/settings-table.ts';
import { catalogue } from '../src/errors/catalogue.ts';
import { errorsMarkdown } from '../src/errors/errors-table.ts';
import { createPostgresDatabase } from './support/database/postgres-database.ts';
import { itInLongRuns } from './support/run/in-long-runs.ts';
import { next } from './support/service/build-versions.ts';
import { runTour, tourText } from './support/service/run-tour.ts';
import { spawnDateline } from './support/service/spawn-dateline.ts';

interface SideBySide {
  sideBySide(service: { url: string; token: string }, product: string): Promise<string>;
}

const { sideBySide } = (await import('../tools/docs/side-by-side.mjs' as string)) as SideBySide;

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = [
  ...readdirSync(root).map((name) => name),
  'client/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
  ...readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((name) => join('src', name)),
].filter((name) => name.endsWith('.md'));
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Every match of a pattern's first group in all documents, with its document. */
function named(pattern: RegExp): { document: string; name: string }[] {
  return documents.flatMap((document) =>
    [...textOf(document).matchAll(pattern)].map(([, name]) => ({ document, name: name as string })),
  );
}

describe('the documents', () => {
  it('are found', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/operating.md']));
  });

  it('name only settings that exist', () => {
    const wrong = named(/\b(DATELINE_[A-Z_]+)\b/g).filter(
      ({ name }) => !(name in settings) && !namesSecretFile(name),
    );
    expect(wrong).toEqual([]);
  });

  it('name only paths that exist', () => {
    const inBackticks = named(/`((?:\.ci|src|client|test|docs|tools|bench|bin)\/[\w./-]*)`/g);
    const missing = inBackticks.filter(({ name }) => !existsSync(join(root, name)));
    expect(inBackticks.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it('link only to targets that exist', () => {
    const links = named(/\]\((?!https?:)([^)#]+)\)/g);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter(({ document, name }) => !existsSync(resolve(root, dirname(document), name)))).toEqual(
      [],
    );
  });

  it('[outside2 27] call a decision by its own number wherever they link to it', () => {
    const links = named(/(\[\d{4}\]\([^)]*\d{4}-[^)]*\.md\))/g);
    expect(links).not.toEqual([]);
    const wrong = links.filter(({ name }) => !/^\[(\d{4})\]\((?:[^)]*\/)?\1-/.test(name));
    expect(wrong).toEqual([]);
  });

  it('[outside2 27] say of dependencies what package.json does', () => {
    const { dependencies, devDependencies, overrides } = JSON.parse(textOf('package.json'));
    const installed = { ...dependencies, ...devDependencies, ...overrides } as Record<string, string>;
    const decision = textOf('docs/decisions/0002-dependencies.md');
    const [table = ''] = decision.split('**vite**');
    const versions = [...table.matchAll(/(@?[a-z][\w./@-]*) (\d[\d.]*)(?: \(override\))?[,| ]/g)];
    expect(versions.length).toBeGreaterThan(5);
    for (const [, name = '', version = ''] of versions.filter(([, name = '']) => name in installed))
      expect([name, `${installed[name]}.`.startsWith(`${version}.`)]).toEqual([name, true]);
    const paragraphs = decision.split('\n\n').filter((text) => /in (development|tests)\s+only/i.test(text));
    const inDevelopment = paragraphs.flatMap((text) =>
      [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name),
    );
    expect(inDevelopment).toContain('standardwebhooks');
    expect(inDevelopment.filter((name) => name !== undefined && name in dependencies)).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const scriptNames = [...named(/\bnpm run ([a-z]+(?:[:-][a-z]+)*)/g), ...named(/\bnpm (start|test)\b/g)];
    expect(scriptNames.length).toBeGreaterThan(5);
    expect(scriptNames.filter(({ name }) => !(name in scripts))).toEqual([]);
    for (const [script, command] of Object.entries(scripts)) {
      const [, file] = /node (?:--\S+ )*(\S+)/.exec(command) ?? [];
      expect(file === undefined || existsSync(join(root, file)), script).toBe(true);
    }
  });

  it('name only commands and options that exist', () => {
    const used = named(/\bnpx dateline ((?:(?!--)[a-z-]+ ?)*(?:--[a-z-]+)?[^`\n"]*)/g);
    expect(used.length).toBeGreaterThan(5);
    for (const { document, name } of used) {
      const words = name.trim().split(' ');
      if (words[0]?.startsWith('--') || words[0] === '') continue;
      const command = commands.find(
        ({ name: known }) => name.trim() === known || name.startsWith(`${known} `),
      );
      expect(command, `${document}: dateline ${name}`).toBeDefined();
      const options = [...Object.keys(command?.options ?? {}), 'environment', 'json', 'help'];
      for (const [, option] of name.matchAll(/--([a-z-]+)/g))
        expect(options, `${document}: ${name}`).toContain(option);
    }
  });

  it('name only error codes that exist', () => {
    const codes = named(/"error":"([a-z_]+)"/g);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter(({ name }) => !(name in catalogue))).toEqual([]);
  });

  it('contain the generated tables as they are today (npm run docs)', () => {
    expect(textOf('docs/settings.md')).toContain(`\n${settingsMarkdown()}\n`);
    expect(textOf('docs/errors.md')).toContain(`\n${errorsMarkdown()}\n`);
  });
});

describe('the map of documents', () => {
  it('leads to every file of docs/', () => {
    const reached = new Set(['docs/README.md']);
    for (const document of reached)
      if (document.endsWith('.md'))
        for (const [, target = ''] of textOf(document).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
          const file = join(dirname(document), target);
          if (file.startsWith('docs/')) reached.add(file);
        }
    const files = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});

describe('the glossary', () => {
  const words = [...textOf('docs/words.md').matchAll(/^\| \*\*(.+?)\*\* \| /gm)].map(([, word = '']) => word);

  it('has at most 25 words, each once', () => {
    expect(words.length).toBeGreaterThan(10);
    expect(words.length).toBeLessThanOrEqual(25);
    expect(new Set(words).size).toBe(words.length);
  });

  it('has only words that src or docs use', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join('src', name));
    const others = documents.filter((name) => name.startsWith('docs/') && name !== 'docs/words.md');
    const text = [...sources, ...others].map(textOf).join('\n');
    expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(text))).toEqual([]);
  });
});

describe('the architecture', () => {
  it('lists every room of src in its tree', () => {
    const rooms = readdirSync(join(root, 'src')).map((name) =>
      name.endsWith('.ts') ? `src/${name}` : `src/${name}/`,
    );
    for (const room of rooms) expect(textOf('ARCHITECTURE.md')).toContain(`| \`${room}\` |`);
  });
});

describe('the README', () => {
  it('[outside2 26] has at most 120 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });

  it('begins with a picture of the console (npm run docs)', () => {
    const [, file = ''] = /!\[[^\]]+\]\(([^)]+)\)/.exec(textOf('README.md')) ?? [];
    const picture = readFileSync(join(root, file));
    expect(picture.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect(picture.length).toBeLessThan(200_000);
    expect(textOf('tools/docs.mjs')).toContain(`'${file}'`);
  });

  itInLongRuns(
    'has a tour whose every line works as pasted, and shows what the service answers',
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'dateline-tour-'));
      const { url, drop } = await createPostgresDatabase({ migrated: true });
      const service = spawnDateline(['serve'], { env: { DATELINE_DATA_DIR: dataDir, DATABASE_URL: url } });
      try {
        const { production, sandbox } = await service.ready();
        const output = runTour({ production, sandbox, dataDir });
        expect(output).toContain('"name":"Demo organization"');
        expect(output).toContain('"unauthorized"');
        expect(output).toContain(`service-version: ${next}`);
        expect(output).toContain('"reason":"removed"');
        expect(output).toContain('"visibility":"private"');
        expect(output).toContain('4900');
        expect(output).toContain(`${next} (next) becomes Current at the release`);
        expect(output).toMatch(/Demo client .*names .*, which is removed/);
        expect(output).toMatch(/^name +My company$/m);
        expect(output).toContain('ada@example.com');
        expect(output).toContain('Demo client');
        expect(output).toContain('No organizations yet.');
        expect(output).toContain('{"status":"ready"}');
        expect(output).toContain('dateline_http_requests_total');
        const { access_token: token } = JSON.parse(
          readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
        ).sandbox;
        const [, product = ''] = /^PRODUCT='(.*)'$/m.exec(tourText()) ?? [];
        expect(textOf('README.md')).toContain(await sideBySide({ url: sandbox, token }, product));
      } finally {
        service.child.kill('SIGKILL');
        await service.exit;
        await drop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    240_000,
  );
});
