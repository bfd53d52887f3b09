import {
  type Contract,
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiOptions,
  type OpenApiProblem,
  type Operation,
  readOpenApi,
} from '@dateline/versions';
import { FolderError } from './folder-problem.ts';

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

const options: OpenApiOptions = {
  errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: {} },
  errors: gatewayErrors,
  wrapEvent: (_kind: string, data: JsonSchema) => data,
  wrapExample: (_kind: string, data: unknown) => data as Contract['events'][number]['example'],
};

/** Returns the reasons why a document cannot be a contract; none if it can. */
export function folderContractProblems(document: OpenApiDocument): OpenApiProblem[] {
  return readOpenApi(document, options).problems;
}

/**
 * The contract of one version of a folder's API. Error shape and frame of events are Dateline's own, which differ between its
 * versions: here they stand for themselves, so that they are no difference of this API.
 */
export function readFolderContract(document: OpenApiDocument, file: string): Contract {
  const { contract, problems } = readOpenApi(document, options);
  if (contract && problems.length === 0) return contract;
  throw new FolderError(problems.map((problem) => ({ file, ...problem })));
}
