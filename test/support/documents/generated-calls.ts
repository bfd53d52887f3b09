import { type Body, isJsonType, type JsonSchema, type Operation } from '@dateline/versions';
import { requestSchema } from '../../../versions/src/proof/sampled-request.ts';
import { samplesOf } from './samples-of.ts';

type Part = Readonly<Record<string, unknown>>;

/** A request as it goes over the wire. */
export interface GeneratedCall {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/** A call of an operation; null where there is no sample of its request. */
export function generatedCall(
  operation: Operation,
  number: number,
  parameters: readonly Part[],
): GeneratedCall | null {
  const samples = samplesOf(requestSchema(operation)) as Part[];
  const sample = samples[number % samples.length];
  if (!sample) return null;
  const { params = {}, query = {}, headers = {} } = sample as Record<string, Part>;
  const path = operation.path.replace(/\{([^}]*)\}/g, (_all, name) => pathText(params[name]));
  const search = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => queryPairs(parameter, query[String(parameter.name)]));
  const named = Object.entries(headers).map(([name, value]) => [name, headerText(value)]);
  const { contentType, ...sent } = bodyOf(operation, sample);
  return {
    method: operation.method,
    target: search.length > 0 ? `${path}?${search.join('&')}` : path,
    headers: { ...Object.fromEntries(named), ...(contentType ? { 'content-type': contentType } : {}) },
    ...sent,
  };
}

/** What would be another path is left to tests of its own. */
function pathText(value: unknown): string {
  const text = encodeURIComponent(String(value)).replaceAll(/%2F|%5C|%00/gi, '-');
  return /^\.*$/.test(text) ? 'x' : text;
}

function headerText(value: unknown): string {
  return (Array.isArray(value) ? value.join(',') : String(value)).replaceAll(/[^\x21-\x7e]/g, '-');
}

function bodyOf({ body }: Operation, sample: Part): Pick<GeneratedCall, 'body'> & { contentType?: string } {
  if (body === null) return {};
  if (body.mediaType === FORM) return { body: formText(body), contentType: FORM };
  if (body.mediaType === 'multipart/form-data')
    return { body: multipartText(body.schema), contentType: `${body.mediaType}; boundary=${BOUNDARY}` };
  if (!isJsonType(body.mediaType)) return { body: 'any', contentType: body.mediaType };
  return 'body' in sample ? { body: JSON.stringify(sample.body), contentType: body.mediaType } : {};
}

const FORM = 'application/x-www-form-urlencoded';

const BOUNDARY = 'between-parts';

/** Objects are JSON, and lists are a part for each item. */
function multipartText(schema: JsonSchema): string {
  const [sample] = samplesOf(schema);
  const parts = Object.entries((sample ?? {}) as Part).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => {
      const text = typeof item === 'object' ? JSON.stringify(item) : String(item);
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    }),
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** A field is written in its own style, or else as usual: a list as a field for each item, and an object as JSON. */
function formText({ schema, fields = {} }: Body): string {
  const [sample] = samplesOf(schema);
  return Object.entries((sample ?? {}) as Part)
    .flatMap(([name, value]) => {
      const style = fields[name];
      if (style && 'style' in style) return queryPairs({ name, ...style }, value);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return queryPairs({ name }, isObject ? JSON.stringify(value) : value);
    })
    .join('&');
}

/** `a[b][0]`. */
function deepPairs(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, item]) =>
    deepPairs(`${name}[${encodeURIComponent(key)}]`, item),
  );
}

/** OpenAPI 3.1 §4.8.12.3. */
function queryPairs(parameter: Part, value: unknown): string[] {
  if (value === undefined) return [];
  const name = encodeURIComponent(String(parameter.name));
  const text = (item: unknown): string => encodeURIComponent(String(item));
  if (parameter.content) return [`${name}=${encodeURIComponent(JSON.stringify(value))}`];
  const { style = 'form' } = parameter;
  const { explode = style === 'form' } = parameter;
  if (style === 'deepObject' && typeof value === 'object' && value !== null) return deepPairs(name, value);
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => `${name}=${text(item)}`);
    const separator = { spaceDelimited: '%20', pipeDelimited: '|' }[String(style)] ?? ',';
    return value.length > 0 ? [`${name}=${value.map(text).join(separator)}`] : [];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (explode) return entries.map(([key, item]) => `${encodeURIComponent(key)}=${text(item)}`);
    return [`${name}=${entries.flatMap(([key, item]) => [text(key), text(item)]).join(',')}`];
  }
  return [`${name}=${text(value)}`];
}
