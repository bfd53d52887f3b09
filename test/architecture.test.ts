import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

/**
 * Which rooms a room may import, itself aside. An arrow that is not listed is forbidden: before adding one,
 * check whether the code is in the right room.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  errors: [],
  tracing: [],
  config: ['errors', 'kernel'],
  storage: ['kernel', 'errors', 'tracing'],
  outbound: ['kernel'],
  contracts: [],
  standbys: ['kernel', 'storage'],
  environments: ['config', 'kernel', 'standbys', 'storage'],
  versions: [],
  folder: [],
  identity: ['audit', 'contracts', 'environments', 'errors', 'kernel', 'storage'],
  audit: ['environments', 'kernel', 'storage'],
  webhooks: [
    'audit',
    'environments',
    'errors',
    'identity',
    'kernel',
    'outbound',
    'secrets',
    'storage',
    'tracing',
  ],
  directory: ['environments', 'identity', 'webhooks'],
  secrets: ['audit', 'config', 'environments', 'errors', 'kernel', 'storage'],
  oauth: ['audit', 'environments', 'errors', 'identity', 'kernel', 'secrets', 'storage', 'webhooks'],
  products: ['contracts', 'environments', 'errors', 'identity', 'kernel', 'storage', 'webhooks'],
  idempotency: ['environments', 'errors', 'kernel', 'secrets', 'storage'],
  usage: ['environments', 'identity', 'kernel', 'oauth', 'storage'],
  releases: ['environments', 'kernel', 'storage', 'usage', 'webhooks'],
  api: [
    'config',
    'contracts',
    'environments',
    'errors',
    'kernel',
    'oauth',
    'releases',
    'storage',
    'webhooks',
  ],
  quickstart: ['environments', 'errors', 'identity', 'kernel', 'oauth', 'storage'],
  recovery: [
    'audit',
    'doctor',
    'environments',
    'errors',
    'identity',
    'kernel',
    'oauth',
    'secrets',
    'storage',
    'webhooks',
  ],
  doctor: [
    'audit',
    'config',
    'environments',
    'identity',
    'kernel',
    'oauth',
    'secrets',
    'standbys',
    'storage',
    'webhooks',
  ],
  housekeeping: ['environments', 'kernel'],
  upstream: ['environments', 'errors', 'kernel', 'oauth', 'outbound', 'tracing'],
  telemetry: ['doctor', 'kernel', 'releases', 'standbys', 'storage', 'upstream', 'usage', 'webhooks'],
  http: [
    'api',
    'audit',
    'config',
    'contracts',
    'directory',
    'doctor',
    'environments',
    'errors',
    'idempotency',
    'identity',
    'kernel',
    'oauth',
    'products',
    'recovery',
    'releases',
    'secrets',
    'standbys',
    'storage',
    'telemetry',
    'tracing',
    'upstream',
    'usage',
    'webhooks',
  ],
  compose: [
    'api',
    'audit',
    'config',
    'contracts',
    'doctor',
    'environments',
    'errors',
    'housekeeping',
    'http',
    'idempotency',
    'identity',
    'kernel',
    'oauth',
    'products',
    'quickstart',
    'recovery',
    'releases',
    'secrets',
    'standbys',
    'storage',
    'telemetry',
    'tracing',
    'upstream',
    'usage',
    'webhooks',
  ],
  main: ['api', 'compose', 'config', 'doctor', 'environments', 'errors', 'http', 'recovery', 'storage'],
  cli: [
    'api',
    'compose',
    'config',
    'contracts',
    'environments',
    'errors',
    'kernel',
    'main',
    'quickstart',
    'recovery',
    'telemetry',
  ],
};

/**
 * The same inside the two largest rooms and one of their folders, folder by folder, and lowest first. `types` is a room's own `types.ts`; it may
 * import names of any folder, since types alone make no cycle.
 */
const allowedInside: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  http: {
    edge: [],
    app: ['edge'],
    api: ['app', 'edge'],
    site: ['app', 'edge'],
    operator: ['api', 'app', 'site'],
    account: ['app', 'site'],
  },
  oauth: {
    types: ['scopes'],
    scopes: ['types'],
    clients: ['scopes', 'types'],
    signing: ['types'],
    tokens: ['clients', 'scopes', 'signing', 'types'],
    grants: ['clients', 'scopes', 'tokens', 'types'],
    authorize: ['clients', 'grants', 'scopes', 'signing', 'tokens', 'types'],
    leaks: ['authorize', 'clients', 'tokens', 'types'],
  },
  'oauth/clients': {
    authentication: [],
    clients: ['authentication'],
    registration: ['authentication', 'clients'],
  },
};

/** The folders of the engine, lowest first. */
const engineFolders = [
  'version',
  'openapi',
  'contract',
  'schema',
  'samples',
  'reading',
  'compile',
  'written',
  'draft',
  'proof',
  'freeze',
  'notes',
];

/** The operator's commands call the service over HTTP: they import its names and settings, nothing that runs. */
const operatorCommandImports = [
  'src/config/load-config.ts',
  'src/config/settings-table.ts',
  'src/environments/environment.ts',
  'src/errors/startup-error.ts',
  'src/kernel/base62.ts',
  'src/kernel/error-facts.ts',
  'src/kernel/url.ts',
  'src/quickstart/quickstart-file.ts',
];
/** Loaded by a command when it runs: what serves, and what maintainers run in the repository. */
const loadedWhenRun = [
  'src/cli/migrate.ts',
  'src/cli/serve.ts',
  'src/cli/dev/run-dev.ts',
  'src/cli/backup.ts',
  'src/cli/restore.ts',
  'src/cli/make-folder.ts',
  'src/cli/contracts/check-contracts.ts',
  'src/cli/contracts/diff-contracts.ts',
  'src/cli/contracts/draft-contracts.ts',
  'src/cli/contracts/found-contracts.ts',
  'src/cli/contracts/import-contract.ts',
  'src/cli/contracts/release-contract.ts',
  'src/cli/contracts/write-contract-types.ts',
];

/** The transactions that are over without a wait for nodes that read from standbys, and why they may be: see docs/decisions/0064. */
const endingNoAccess: Readonly<Record<string, string>> = {
  'src/housekeeping/keep-house.ts':
    'What a chore removes has expired before, by the clock, and every node knows the time. A chore that removes more than that has a transaction of its own.',
  'src/webhooks/deliveries/conclude-attempt.ts':
    'An endpoint that is disabled gets nothing more; no token, grant or client is touched.',
  'src/webhooks/oversight/backlog.ts':
    'It counts events and stores how many there are, while a scrape waits.',
  'src/webhooks/publishing/publish-events.ts':
    'It stores events that somebody else tells of, and their publishers send many.',
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(src, file));
const path = (file: string): string => relative(root, file);
const roomOf = (file: string): string => relative(src, file).split('/')[0]?.replace(/\.ts$/, '') ?? '';
/** The folder, or the file, right below another folder that a file is in; undefined if it is not in that one. */
const folderIn = (parent: string, file: string): string | undefined =>
  path(file).startsWith(`src/${parent}/`)
    ? relative(join(src, parent), file).split('/')[0]?.replace(/\.ts$/, '')
    : undefined;
const textOf = (file: string): string => readFileSync(file, 'utf8');

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
  /** Loaded when it is needed, by `await import('…')`. */
  late: boolean;
}

function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms,
  );
  return [...statements].map(([, type, specifier, late]) => ({
    from: path(file),
    to: path(resolve(dirname(file), (specifier ?? late) as string)),
    typeOnly: type !== undefined,
    late: late !== undefined,
  }));
}

const imports = files.flatMap(importsOf);

describe('the architecture', () => {
  it('resolves every relative import to a file of the repository', () => {
    const known = new Set(files.map(path));
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter(({ to }) => !known.has(to))).toEqual([]);
  });

  it('lists every room', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(allowed).sort());
  });

  it('lets rooms import in the allowed directions only', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, target] = [roomOf(join(root, from)), roomOf(join(root, to))];
      return room !== target && !allowed[room]?.includes(target);
    });
    expect(wrong.map(({ from, to }) => `${from} must not import ${to}`)).toEqual([]);
  });

  it.each(Object.keys(allowedInside))(
    'lets the folders of %s import in the allowed directions only',
    (parent) => {
      const arrows = allowedInside[parent] ?? {};
      const folders = new Set(files.flatMap((file) => folderIn(parent, file) ?? []));
      expect([...folders].sort()).toEqual(Object.keys(arrows).sort());
      const wrong = imports.filter(({ from, to }) => {
        const [folder, target] = [folderIn(parent, join(root, from)), folderIn(parent, join(root, to))];
        if (folder === undefined || target === undefined || folder === target) return false;
        return !arrows[folder]?.includes(target);
      });
      expect(wrong.map(({ from, to }) => `${from} must not import ${to}`)).toEqual([]);
    },
  );

  it('lets no transaction do without a wait for readers of standbys but those of a list, which says why', () => {
    const without = files.filter((file) => /\bendsNoAccess\b(?! = false)/.test(textOf(file)));
    // What it means is declared there.
    const places = without.map(path).filter((file) => file !== 'src/environments/environment.ts');
    expect(places.sort()).toEqual(Object.keys(endingNoAccess).sort());
    const uses = places.flatMap((file) => textOf(join(root, file)).match(/\bendsNoAccess\b/g) ?? []);
    expect(uses).toHaveLength(places.length);
  });

  it('lets transactions wait for those readers after themselves where they are batches, whose callers wait by themselves', () => {
    const later = files.filter((file) => /\bwaitsLater: true\b/.test(textOf(file)));
    expect(later.map(path).sort()).toEqual([
      'src/oauth/tokens/revoke-token.ts',
      'src/webhooks/deliveries/first-attempts.ts',
    ]);
    for (const file of later) expect(textOf(file)).toMatch(/\bawait untilReadersSee\(\);\n/);
  });

  it('lets upstream use the signing keys and the types of oauth, and nothing else of it', () => {
    const used = imports.filter(
      ({ from, to }) => from.startsWith('src/upstream/') && to.startsWith('src/oauth/'),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.map(({ to }) => to).filter((to) => !/^src\/oauth\/(signing\/|types\.ts$)/.test(to))).toEqual(
      [],
    );
  });

  it('has few files beside the folders of src and src/http', () => {
    const flat = [src, join(src, 'http')].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory()),
    );
    expect(flat.length).toBeLessThanOrEqual(12);
  });

  it('keeps the engine self-contained: it imports its own files and the packages it declares', () => {
    const engine = join(root, 'versions');
    const { dependencies } = JSON.parse(textOf(join(engine, 'package.json'))) as { dependencies: object };
    const sources = readdirSync(join(engine, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(engine, 'src', file));
    const specifiers = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\bfrom\s+'([^']+)'/g)].map(([, name]) => ({ file, name: name as string })),
    );
    const wrong = specifiers.filter(
      ({ file, name }) =>
        !(/^\.{1,2}\/[a-z/.-]+\.ts$/.test(name) && resolve(dirname(file), name).startsWith(engine)) &&
        !name.startsWith('node:') &&
        !Object.keys(dependencies).includes(name.split('/')[0] as string),
    );
    expect(specifiers.length).toBeGreaterThan(20);
    expect(wrong.map(({ file, name }) => `${path(file)} must not import ${name}`)).toEqual([]);
  });

  it('lets the folders of the engine import lower ones only, with its index alone beside them', () => {
    const engine = join(root, 'versions', 'src');
    const entries = readdirSync(engine, { withFileTypes: true });
    expect(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual(['index.ts']);
    expect(
      entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...engineFolders].sort());
    const floorOf = (file: string): number =>
      engineFolders.indexOf(relative(engine, file).split('/')[0] as string);
    const wrong = readdirSync(engine, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
      .flatMap((file) => importsOf(join(engine, file)))
      .filter(({ from, to }) => floorOf(join(root, from)) < floorOf(join(root, to)));
    expect(wrong.map(({ from, to }) => `${from} must not import ${to}`)).toEqual([]);
  });

  it('lets rooms import contracts as types only: the wire format is decided there', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      const isRoom = !['api', 'cli', 'compose', 'contracts', 'http', 'main.ts'].includes(
        from.split('/')[1] ?? '',
      );
      return isRoom && to.startsWith('src/contracts/') && !typeOnly;
    });
    expect(wrong.map(({ from, to }) => `${from} must import ${to} as a type`)).toEqual([]);
  });

  it('starts every command without loading the service, and operator commands use HTTP only', () => {
    const inCli = (file: string): boolean => file.startsWith('src/cli/');
    const light = reachableFrom('src/cli/dateline.ts', ({ to, late }) =>
      late ? !loadedWhenRun.includes(to) : inCli(to),
    );
    const wrong = imports.filter(
      ({ from, to, late }) =>
        light.has(from) &&
        !inCli(to) &&
        !operatorCommandImports.includes(to) &&
        !(late && loadedWhenRun.includes(to)),
    );
    expect(light.size).toBeGreaterThan(20);
    expect(wrong.map(({ from, to }) => `${from} must not import ${to}`)).toEqual([]);
  });

  it('has no cycles', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to, typeOnly } of imports)
      if (!typeOnly) graph.set(from, [...(graph.get(from) ?? []), to]);
    expect(findCycle(graph)).toEqual([]);
  });

  it('keeps SQL in store.ts and storage/', () => {
    const sql = /\b(select\s.+\sfrom|insert\s+into|delete\s+from|update\s+\S+\s+set|create\s+table)\b/is;
    const builder = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|from 'kysely'/;
    const wrong = files
      .filter((file) => !file.endsWith('/store.ts') && roomOf(file) !== 'storage')
      .filter((file) => stringsOf(file).some((text) => sql.test(text)) || builder.test(textOf(file)));
    expect(wrong.map(path)).toEqual([]);
  });

  it('lets the SQL of a room name tables of its own, and of rooms that it may import', () => {
    const owners = tableOwners();
    expect(owners.size).toBeGreaterThan(30);
    const named = files
      .filter((file) => file.endsWith('/store.ts'))
      .flatMap((file) => namesIn(file).map((name) => ({ file, name, owner: owners.get(name) })));
    expect(new Set(named.map(({ name }) => name).filter((name) => owners.has(name))).size).toBe(owners.size);
    const wrong = named.filter(({ file, owner }) => {
      const room = roomOf(file);
      return owner !== undefined && owner !== room && !allowed[room]?.includes(owner);
    });
    expect(wrong.map(({ file, name, owner }) => `${path(file)} must not name ${name} of ${owner}`)).toEqual(
      [],
    );
  });

  it('writes every table with {schema}, so that no statement can reach another environment', () => {
    const sqlFiles = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.sql'),
    );
    // Rights name tables after other words than statements do.
    const [rightsFiles, migrationFiles] = [true, false].map((areRights) =>
      sqlFiles.filter((file) => file.endsWith('/rights.sql') === areRights),
    ) as [string[], string[]];
    for (const file of rightsFiles)
      expect(textOf(join(src, file)).replaceAll(/--.*$|\{schema\}\.\w+/gm, ''), file).not.toContain('.');
    const texts = [
      ...migrationFiles.map((file) => textOf(join(src, file)).replaceAll(/--.*$/gm, '')),
      ...files.filter((file) => file.endsWith('/store.ts')).flatMap((file) => statementsOf(file)),
    ];
    const named = texts.flatMap(tablesIn);
    expect(named.length).toBeGreaterThan(20);
    // The server's own views are in no environment.
    expect(named.filter((table) => !/^(\{schema\}\.|pg_)/.test(table))).toEqual([]);
    for (const file of files.filter((file) => roomOf(file) !== 'storage')) {
      expect(textOf(file), path(file)).not.toMatch(/dateline_(production|sandbox)/);
    }
  });

  it('has no branch on a version outside versions/, contracts/, api/ and releases/', () => {
    const withVersions = ['versions', 'contracts', 'api', 'releases'];
    const rooms = files.filter((file) => !withVersions.includes(roomOf(file)));
    const wrong = rooms.filter((file) =>
      /\b(if|switch)\s*\([^)]*\bversion\b|['"`]20\d\d-\d\d['"`]/i.test(textOf(file)),
    );
    expect(wrong.map(path)).toEqual([]);
  });

  it('reads the clock, the environment and URLs in one file each', () => {
    const wrong = (pattern: RegExp, exempt: readonly string[]) =>
      files.map(path).filter((file) => !exempt.includes(file) && pattern.test(textOf(join(root, file))));
    expect(
      wrong(/\bDate\.now\(|new Date\(\)/, [
        'src/kernel/clock.ts',
        'src/telemetry/log.ts',
        'src/storage/data-folder-lock.ts',
      ]),
    ).toEqual([]);
    // Texts that are written for people name it.
    const inTexts = ['src/api/import/folder-config-text.ts', 'src/http/site/reference/samples.ts'];
    expect(wrong(/process\.env\b/, inTexts)).toEqual([]);
    expect(wrong(/\bURL\.canParse\(/, [])).toEqual([]);
  });

  it('keeps the client self-contained: it imports only its own files, and no package at run time', () => {
    const client = join(root, 'client', 'src');
    const sources = readdirSync(client, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(client, file));
    const specifiers = sources.flatMap((file) =>
      [
        ...textOf(file).matchAll(
          /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|\b(?:import|require)\(/gms,
        ),
      ].map(([whole, type, name]) => ({ file, type, name: name ?? whole })),
    );
    const wrong = specifiers.filter(({ file, type, name }) =>
      name.startsWith('.')
        ? !resolve(dirname(file), name).startsWith(`${client}/`)
        : !(type && name === 'fastify' && path(file) === 'client/src/fastify.ts'),
    );
    expect(specifiers.length).toBeGreaterThan(40);
    expect(wrong.map(({ file, name }) => `${path(file)} must not import ${name}`)).toEqual([]);
    const { dependencies } = JSON.parse(textOf(join(root, 'client', 'package.json'))) as {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
    const outside = imports.filter(({ to }) => to.startsWith('client/'));
    expect(outside).toEqual([]);
  });

  it('keeps the test runner out of what records a tape, which runs by itself', () => {
    const recorder = new Set([join(root, 'test', 'tape', 'record.ts')]);
    // Types too: the compiler reads the files that they come from.
    for (const file of recorder) for (const { to } of importsOf(file)) recorder.add(join(root, to));
    expect(recorder.size).toBeGreaterThan(50);
    const wrong = [...recorder].filter((file) => /from 'vitest/.test(textOf(file)));
    expect(wrong.map(path)).toEqual([]);
  });

  it('has no file named utils, helpers or the like', () => {
    expect(
      files.map(path).filter((file) => /\/(utils?|helpers?|common|misc|managers?)(\.ts|\/)/.test(file)),
    ).toEqual([]);
    expect(files.map(path).filter((file) => !/^[a-z0-9/.-]+$/.test(file))).toEqual([]);
  });
});

/** The room whose migrations create it, by the name of a table or a sequence. */
function tableOwners(): Map<string, string> {
  const migrations = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sql'),
  );
  return new Map(
    migrations.flatMap((file) =>
      [...textOf(join(src, file)).matchAll(/^create (?:table|sequence) \{schema\}\.(\w+)/gm)].map(
        ([, name]): [string, string] => [name as string, roomOf(join(src, file))],
      ),
    ),
  );
}

/** Names in SQL by hand, and whole texts in quotes, as the query builder takes tables. */
function namesIn(file: string): string[] {
  const names = codeOf(file).matchAll(/\{schema\}\.(\w+)|'(\w+)(?:\.\w+)?(?: as \w+)?'/g);
  return [...new Set([...names].flatMap(([, inSql, quoted]) => inSql ?? quoted ?? []))];
}

function codeOf(file: string): string {
  return textOf(file).replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
}

function stringsOf(file: string): string[] {
  return [...codeOf(file).matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([text]) => text);
}

function statementsOf(file: string): string[] {
  return [...textOf(file).matchAll(/statement\(\s*'[^']+',\s*[`']([^`]*?)[`'],?\s*\)/g)].map(
    ([, text]) => text as string,
  );
}

/** What stands where SQL names a table, less the statement's own `with` names. `for update` names a lock. */
function tablesIn(sql: string): string[] {
  // Parameters and names that the statement itself declares are not tables.
  const own = new Set([
    'unnest',
    'jsonb_to_recordset',
    'lateral',
    ...[...sql.matchAll(/(\w+) as (?:materialized )?\(/g)].map(([, name]) => name as string),
  ]);
  const named = sql.matchAll(
    /\b(?:from|join|into|(?<!\b(?:do|for) )update|references|create table|index \w+ on)\s+([\w{}."]+)/g,
  );
  return [...named].map(([, table]) => table as string).filter((table) => !own.has(table));
}

/** The file and everything it imports, directly or not, as far as imports are followed. */
function reachableFrom(file: string, isFollowed: (one: Import) => boolean): Set<string> {
  const reached = new Set([file]);
  for (const known of reached) {
    for (const one of imports) if (one.from === known && isFollowed(one)) reached.add(one.to);
  }
  return reached;
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  function visit(file: string, trail: readonly string[]): string[] {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
