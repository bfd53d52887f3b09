import { fillPath } from '@dateline/versions';
import type { CallSample, ReferenceOperation } from './reference.ts';

/** The values that all samples of a reference share. */
export interface SampleSetting {
  url: string;
  /** Null where there are no versions. */
  version: string | null;
  /** The variable that holds the bearer token. */
  tokenName: string;
  callOf(operationId: string): string | null;
}

type Sampled = Omit<ReferenceOperation, 'samples'>;

export function callSamples(operation: Sampled, setting: SampleSetting): CallSample[] {
  if (operation.isPage) return [];
  const call = setting.callOf(operation.id);
  return [
    { language: 'curl', label: 'curl', code: curlSample(operation, setting) },
    ...(call === null
      ? []
      : ([
          { language: 'client', label: 'JavaScript', code: clientSample(operation, setting, call) },
        ] as const)),
    { language: 'python', label: 'Python', code: pythonSample(operation, setting) },
  ];
}

function curlSample({ method, body, token, ...operation }: Sampled, setting: SampleSetting): string {
  const { version, tokenName } = setting;
  const implied = body ? 'POST' : 'GET';
  const parts = [
    `curl ${method === implied ? '' : `-X ${method} `}'${addressOf(operation, setting)}'`,
    ...(version === null ? [] : [`-H 'Service-Version: ${version}'`]),
    ...(token === 'none'
      ? []
      : [`-H "Authorization: Bearer $${token === 'own' ? 'REGISTRATION_TOKEN' : tokenName}"`]),
    ...bodyParts(body),
  ];
  return parts.join(' \\\n  ');
}

function bodyParts(body: Sampled['body']): string[] {
  if (!body) return [];
  if (body.isForm)
    return Object.entries(fieldsOf(body)).map(([name, value]) => `--data-urlencode '${name}=${value}'`);
  const json = JSON.stringify(body.example, null, 2).replaceAll("'", "'\\''");
  return ["-H 'Content-Type: application/json'", `-d '${json}'`];
}

function clientSample(operation: Sampled, { url, version, tokenName }: SampleSetting, call: string): string {
  return [
    `import { Dateline } from '@dateline/client/${version}';`,
    '',
    'const client = new Dateline({',
    ...[`baseUrl: '${url}'`, ...credentialsFor(operation, tokenName)].map((line) => `  ${line},`),
    '});',
    `const answer = await client.${call}(${argumentsOf(operation).join(', ')});`,
    'console.log(answer);',
  ].join('\n');
}

/** The client sends its own id and secret where an operation takes them. */
const OF_CLIENT = ['client_id', 'client_secret'];

function credentialsFor({ body, token }: Sampled, tokenName: string): string[] {
  if (token === 'access') return [`accessToken: process.env.${tokenName}`];
  const takesClient = body !== null && OF_CLIENT.some((name) => name in fieldsOf(body));
  return takesClient ? ['clientId: process.env.CLIENT_ID', 'clientSecret: process.env.CLIENT_SECRET'] : [];
}

/** The ids of the path, the body or the query, and options where the operation has a token of its own. */
function argumentsOf({ parameters, body, token, isPaged }: Sampled): string[] {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path');
  return [
    ...ofPath.map(({ example }) => literal(example, javaScript)),
    ...(body ? [literal(token === 'none' ? withoutClient(body) : body.example, javaScript)] : []),
    ...(isPaged ? ['{ limit: 10 }'] : []),
    ...(token === 'own' ? ['{ accessToken: process.env.REGISTRATION_TOKEN }'] : []),
  ];
}

function pythonSample({ method, body, token, ...operation }: Sampled, setting: SampleSetting): string {
  const { version, tokenName } = setting;
  const variable = token === 'own' ? 'REGISTRATION_TOKEN' : tokenName;
  const headers = [
    ...(version === null ? [] : [`"Service-Version": "${version}"`]),
    ...(token === 'none' ? [] : [`"Authorization": "Bearer " + os.environ["${variable}"]`]),
  ];
  return [
    ...(token === 'none' ? [] : ['import os']),
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    "${addressOf(operation, setting)}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body ? [`    ${body.isForm ? 'data' : 'json'}=${indented(literal(body.example, python))},`] : []),
    ')',
    'print(answer.status_code, answer.text)',
  ].join('\n');
}

/** The address of a call, with the examples of its parameters; of those of the query only what it needs, and a small page. */
function addressOf(
  { path, parameters, isPaged }: Pick<Sampled, 'path' | 'parameters' | 'isPaged'>,
  { url }: SampleSetting,
): string {
  const filled = fillPath(path, (name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(parameter?.example ?? name));
  });
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.isRequired)
      .map(({ name, example }): [string, string] => [name, String(example)]),
  );
  if (isPaged) query.set('limit', '10');
  return `${url}${filled}${query.size > 0 ? `?${query}` : ''}`;
}

interface Words {
  null: string;
  true: string;
  false: string;
  /** Writes a member's name in an object literal. */
  name(name: string): string;
  quote(text: string): string;
}

const javaScript: Words = {
  null: 'null',
  true: 'true',
  false: 'false',
  name: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name)),
  quote: quoted,
};
const python: Words = {
  null: 'None',
  true: 'True',
  false: 'False',
  name: JSON.stringify,
  quote: JSON.stringify,
};

function quoted(text: string): string {
  return /['\\\n]/.test(text) ? JSON.stringify(text) : `'${text}'`;
}

const WIDE = 60;

/** A value as a program writes it: on one line where it is short. */
function literal(value: unknown, words: Words): string {
  if (value === null) return words.null;
  if (typeof value === 'string') return words.quote(value);
  if (typeof value !== 'object') return typeof value === 'boolean' ? words[`${value}`] : String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = isList
    ? value.map((item) => literal(item, words))
    : Object.entries(value).map(([name, item]) => `${words.name(name)}: ${literal(item, words)}`);
  if (parts.length === 0) return open + close;
  const space = isList || words === python ? '' : ' ';
  const onOneLine = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (onOneLine.length <= WIDE && !onOneLine.includes('\n')) return onOneLine;
  const step = words === python ? '    ' : '  ';
  return [open, ...parts.map((part) => `${step}${part.replaceAll('\n', `\n${step}`)},`), close].join('\n');
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

function fieldsOf({ example }: { example: unknown }): Record<string, unknown> {
  return typeof example === 'object' && example !== null ? { ...example } : {};
}

function withoutClient(body: { example: unknown }): unknown {
  return Object.fromEntries(Object.entries(fieldsOf(body)).filter(([name]) => !OF_CLIENT.includes(name)));
}
