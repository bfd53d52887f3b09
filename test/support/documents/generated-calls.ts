import { isJsonType, type JsonSchema, type Operation } from '@dateline/versions';
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
  if (body.mediaType === FORM) return { body: formText(body.schema), contentType: FORM };
  if (!isJsonType(body.mediaType)) return { body: 'any', contentType: body.mediaType };
  return 'body' in sample ? { body: JSON.stringify(sample.body), contentType: body.mediaType } : {};
}

const FORM = 'application/x-www-form-urlencoded';

/** What has a form of its own, by its encoding, is left to tests of its own. */
function formText(schema: JsonSchema): string {
  const [sample] = samplesOf(schema);
  const fields = Object.entries((sample ?? {}) as Part).filter(([, value]) => typeof value !== 'object');
  return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
}

/** OpenAPI 3.1 §4.8.12.3; objects inside of objects have no style. */
function queryPairs(parameter: Part, value: unknown): string[] {
  if (value === undefined) return [];
  const name = encodeURIComponent(String(parameter.name));
  const text = (item: unknown): string => encodeURIComponent(String(item));
  if (parameter.content) return [`${name}=${encodeURIComponent(JSON.stringify(value))}`];
  const { style = 'form' } = parameter;
  const { explode = style === 'form' } = parameter;
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => `${name}=${text(item)}`);
    const separator = { spaceDelimited: '%20', pipeDelimited: '|' }[String(style)] ?? ',';
    return value.length > 0 ? [`${name}=${value.map(text).join(separator)}`] : [];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (style === 'deepObject')
      return entries.map(([key, item]) => `${name}[${encodeURIComponent(key)}]=${text(item)}`);
    if (explode) return entries.map(([key, item]) => `${encodeURIComponent(key)}=${text(item)}`);
    return [`${name}=${entries.flatMap(([key, item]) => [text(key), text(item)]).join(',')}`];
  }
  return [`${name}=${text(value)}`];
}
