import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';

/** The operations of an upstream by their patterns; those without parameters first, as all routers look for them. */
export type Routes = readonly (readonly [pattern: string, operation: string])[];

/** Which operation a target leads to, by how an upstream reads it: null where it finds none. */
export type Reached = Readonly<Record<string, string | null>>;

type Reading = (path: string) => string;

const readings: Readonly<Record<string, Reading>> = {
  'as it is': (path) => path,
  'decoded once': (path) => decode(path),
  'decoded twice': (path) => decode(decode(path)),
  'decoded three times': (path) => decode(decode(decode(path))),
};
const habits: Readonly<Record<string, Reading>> = {
  'and nothing else': (path) => path,
  'without case': (path) => path.toLowerCase(),
  'in other forms of letters': (path) => path.normalize('NFKC').toLowerCase(),
  'without slashes at the end': (path) => path.replace(/\/+$/, ''),
  'with slashes merged': (path) => path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'),
  'without dots at the end': (path) => path.replaceAll(/[. ]+(?=\/|$)/g, ''),
  'without matrix parameters': (path) => path.replaceAll(/;[^/]*/g, '').replace(/(.)\/$/, '$1'),
  'without what follows a question mark': (path) => path.split(/[?#]/, 1)[0] ?? '',
  'with backslashes as slashes': (path) => path.replaceAll('\\', '/'),
  'with dots resolved': (path) =>
    new URL(path.replaceAll('\\', '/').replace(/^\/+/, '/'), 'http://any.invalid').pathname,
  'up to NUL': (path) => path.split('\0', 1)[0] ?? '',
  'without a format': (path) => path.replace(/\.\w+$/, ''),
  'in all these ways': (path) =>
    path
      .split(/[?#\0]/, 1)[0]
      ?.toLowerCase()
      .replaceAll('\\', '/')
      .replaceAll(/;[^/]*/g, '')
      .replaceAll(/[. ]+(?=\/|$)/g, '')
      .replaceAll(/\/+/g, '/')
      .replace(/(.)\/$/, '$1') ?? '',
};

/** The routes that common servers find for a target, by their way of decoding it. */
export function reachedBy(routes: Routes, target: string): Reached {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([how, read]) =>
      Object.entries(habits).map(([habit, change]) => [
        `${how}, ${habit}`,
        route(routes, change(read(target))),
      ]),
    ),
  );
}

/** As lenient as those that do not fail. */
function decode(path: string): string {
  return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

function route(routes: Routes, path: string): string | null {
  const found = routes.find(([pattern]) =>
    new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return found?.[1] ?? null;
}

/** Python's own server, which answers with the path as it reads it; null where there is no Python. */
export async function startPythonUpstream(): Promise<{
  read(target: string): Promise<string>;
  stop(): void;
} | null> {
  if (spawnSync('python3', ['--version']).status !== 0) return null;
  const child: ChildProcess = spawn('python3', ['-u', '-c', PYTHON], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = Number(String(line));
  return {
    async read(target) {
      const [answer] = await once(get({ host: '127.0.0.1', port, path: target }), 'response');
      return Buffer.concat(await answer.toArray()).toString();
    },
    stop: () => void child.kill(),
  };
}

const PYTHON = `
import http.server, urllib.parse
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = urllib.parse.unquote(self.path.split('?')[0], errors='replace').encode()
        self.send_response(200); self.send_header('content-length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *_): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port)
server.serve_forever()
`;
