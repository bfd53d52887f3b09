import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../errors/api-error.ts';
import type { App } from '../app/create-app.ts';
import { type Asset, assetOf, sendAsset } from './page-assets.ts';
import { html } from './pages/html.ts';
import { layout, type Site } from './pages/layout.ts';
import { sendPage } from './pages/send-page.ts';

/** The build of `console/`: hashed files, and the entry files of its page. */
interface BuiltConsole {
  script: string;
  styles: readonly string[];
  files: ReadonlyMap<string, Asset>;
}

interface Chunk {
  file: string;
  css?: readonly string[];
  isEntry?: boolean;
}

const MANIFEST = '.vite/manifest.json';

/** Beside this in what is built; what is run from its sources has it in `dist`. */
const folders = ['../../console/', '../../../dist/console/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

let built: BuiltConsole | null | undefined;

/** Read once, for both environments; null where the console was not built. */
function readConsole(): BuiltConsole | null {
  if (built !== undefined) return built;
  const folder = folders.find((one) => existsSync(join(one, MANIFEST)));
  built = folder === undefined ? null : readBuilt(folder);
  return built;
}

function readBuilt(folder: string): BuiltConsole {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Record<string, Chunk>;
  const chunks = Object.values(manifest);
  const names = new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]));
  const entry = chunks.find(({ isEntry }) => isEntry);
  return {
    script: entry?.file ?? '',
    styles: entry?.css ?? [],
    files: new Map(
      [...names].map((name) => [name, assetOf(readFileSync(join(folder, name)), extname(name))]),
    ),
  };
}

const YEAR_SECONDS = 31_536_000;

/** The operator's console: one page, whatever the address below it, and the files that it loads. */
export function consoleRoutes(
  app: App,
  { site, otherConsole }: { site: Site; otherConsole: string | null },
): void {
  app.get<{ Params: { '*': string } }>('/console/assets/*', async (request, reply) => {
    const asset = readConsole()?.files.get(`assets/${request.params['*']}`);
    if (!asset) throw new ApiError('not_found');
    reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
    return sendAsset(request, reply, asset);
  });

  for (const url of ['/console', '/console/*'])
    app.get(url, async (_request, reply) => {
      const found = readConsole();
      if (!found)
        throw new ApiError('not_found', { detail: 'The console was not built; run "npm run build".' });
      const head = html`${found.styles.map((name) => html`<link rel="stylesheet" href="/console/${name}">`)}
<script type="module" src="/console/${found.script}"></script>`;
      const main = html`<div id="console" data-public-url="${site.publicUrl}" data-environment="${site.environment}" data-other-console="${otherConsole ?? ''}"><p class="loading">Loading…</p></div>
<noscript><p>The console needs JavaScript. The command line, <code>npx dateline</code>, can do the same.</p></noscript>`;
      const nav = html`<a class="site-link" href="/console">Console</a>
<a class="site-link" href="/operator/docs">Operator API</a>`;
      return sendPage(reply, {
        page: layout(site, {
          title: site.environment === 'production' ? 'PRODUCTION console' : 'Sandbox console',
          main,
          head,
          nav,
          isWide: true,
        }),
        permissions: { 'script-src': "'self'", 'connect-src': "'self'", 'form-action': "'self'" },
        headers: { 'cache-control': 'no-store' },
      });
    });
}
