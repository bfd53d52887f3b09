const LEFT_WIDTH = 44;

/**
 * Reads one product in the oldest and in the newest version that a service serves. Returns the two exchanges side by side: what
 * announces the end of a version, the product's name, and the fields that differ.
 * @param {{ url: string, token: string }} service
 * @param {string} product the body that creates it, in the newest version
 */
export async function sideBySide({ url, token }, product) {
  const call = callerOf(url, token);
  const { versions } = (await call('/versions')).body;
  const names = versions.map(({ version }) => version).toSorted();
  const [oldest, newest] = [names[0], names.at(-1)];
  const { id } = (await call('/v1/products/', { version: newest, method: 'POST', body: product })).body;
  const older = await call(`/v1/products/${id}`, { version: oldest });
  const newer = await call(`/v1/products/${id}`, { version: newest });
  const isShown = (name) =>
    name === 'name' || JSON.stringify(older.body[name]) !== JSON.stringify(newer.body[name]);
  return [
    '```text',
    ...columns(headLines(oldest, older), headLines(newest, newer)),
    ...columns(bodyLines(older, isShown), bodyLines(newer, isShown)),
    '```',
  ].join('\n');
}

function callerOf(url, token) {
  return async (path, { version, ...init } = {}) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      ...(version ? { 'service-version': version } : {}),
    };
    const answer = await fetch(url + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return { headers: answer.headers, body: await answer.json() };
  };
}

function headLines(version, { headers, body }) {
  const announced = ['deprecation', 'sunset'].filter((name) => headers.has(name));
  return [
    `GET /v1/products/${body.id.slice(0, 4)}…`,
    `Service-Version: ${version}`,
    '',
    'HTTP/1.1 200 OK',
    ...announced.map((name) => `${name}: ${headers.get(name)}`),
  ];
}

function bodyLines({ body }, isShown) {
  const fields = Object.entries(body).filter(([name]) => isShown(name));
  const lines = fields.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return ['{', lines.join(',\n'), '}'].join('\n').split('\n');
}

function columns(left, right) {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, line) =>
    `${(left[line] ?? '').padEnd(LEFT_WIDTH)}${right[line] ?? ''}`.trimEnd(),
  );
}
