import {
  type Contract,
  type JsonSchema,
  type OpenApiContract,
  type OpenApiDocument,
  type OpenApiOptions,
  type Operation,
  partAt,
  readOpenApi,
  statedExamples,
  validator,
} from '@dateline/versions';
import type { FolderConfig } from './config-file.ts';
import { CONFIG_FILE } from './folder-files.ts';
import { FolderError, type FolderProblem } from './folder-problem.ts';

/** Errors that Dateline itself may answer in place of the upstream, for every operation. */
const gatewayErrors: Operation['errors'] = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  403: ['insufficient_scope'],
  404: ['not_found'],
  413: ['payload_too_large'],
  414: ['uri_too_long'],
  415: ['unsupported_media_type'],
  422: ['validation_failed'],
  500: ['internal_error'],
  502: ['upstream_contract', 'upstream_failed'],
  503: ['storage_unavailable', 'timeout', 'upstream_unavailable'],
  504: ['upstream_timeout'],
};

const usual: OpenApiOptions = {
  errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: {} },
  errors: gatewayErrors,
  wrapEvent: (_kind: string, data: JsonSchema) => data,
  wrapExample: (_kind: string, data: unknown) => data as Contract['events'][number]['example'],
};

/** What the configuration of a folder says about its documents: who may call what is no part of many of them. */
export type FolderRules = Pick<FolderConfig, 'security' | 'open'>;

/**
 * Reads the documents of one folder, each of them once. Error shape and frame of events are Dateline's own, which differ between its
 * versions: here they stand for themselves, so that they are no difference of this API.
 */
export type FolderReader = (document: OpenApiDocument) => OpenApiContract;

export function createFolderReader({ security = {}, open = [] }: FolderRules): FolderReader {
  const schemes = Object.entries(security).map(([name, { scopes }]) => [name, scopes]);
  const options: OpenApiOptions = {
    ...usual,
    examples: 'later',
    schemes: Object.fromEntries(schemes),
    open,
    remedies: { scheme: schemeRemedy, open: openRemedy },
  };
  const known = new WeakMap<OpenApiDocument, OpenApiContract>();
  // Versions have most of their parts in common.
  let earlier: OpenApiOptions['earlier'];
  return (document) => {
    const found = known.get(document);
    if (found) return found;
    const read = readOpenApi(document, { ...options, earlier });
    known.set(document, read);
    if (read.contract) earlier = { document, contract: read.contract };
    return read;
  };
}

function schemeRemedy(name: string): string {
  return `say which scopes stand for it with security: { ${quoted(name)}: { scopes: [] } } in ${CONFIG_FILE}`;
}

const SHOWN_MAX = 20;

function openRemedy(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_MAX).map(quoted);
  const left = names.length - shown.length;
  const list = [...shown, ...(left > 0 ? [`… and ${left.toLocaleString('en')} more`] : [])].join(', ');
  return `give them a security, or write open: [${list}] (or open: '*') into ${CONFIG_FILE}`;
}

const quoted = (name: string): string => `'${name.replaceAll(/['\\]/g, '\\$&')}'`;

/** The contract of a document. Throws a `FolderError` where it is none. */
export function readFolderContract(
  document: OpenApiDocument,
  file: string,
  read: FolderReader = createFolderReader({ open: '*' }),
): Contract {
  const { contract, problems } = read(document);
  if (contract) return contract;
  throw new FolderError(problems.map((problem) => ({ file, ...problem })));
}

/** Events of which nobody could be shown one. */
export function exampleProblems({ events }: Contract, file: string): FolderProblem[] {
  return events
    .filter(({ example }) => example === undefined)
    .map(({ kind }) => ({
      file,
      path: webhookPath(kind),
      reason: 'no example can be made of the schema; give one under example',
    }));
}

/** Examples of events that do not fit: others are shown in their place. */
export function exampleWarnings(
  { events }: Contract,
  document: OpenApiDocument,
  file: string,
): FolderProblem[] {
  return events.flatMap(({ kind, schema }) => {
    const content = partAt(document, 'webhooks', kind, 'post', 'requestBody', 'content', 'application/json');
    const [stated] = statedExamples(document, content);
    const [finding] = stated === undefined ? [] : validator(schema)(stated);
    if (!finding) return [];
    const reason = `its example does not fit its schema (${finding.instancePath} ${finding.message}), so another one is shown; correct it`;
    return [{ file, path: webhookPath(kind), reason }];
  });
}

const webhookPath = (kind: string): string => `/webhooks/${kind.replaceAll('~', '~0').replaceAll('/', '~1')}`;
