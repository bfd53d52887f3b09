// The engine as a library: `import { compileApi } from 'dateline/versions'`. See README.md beside this file.
export {
  type ApiVersion,
  apiVersion,
  nextVersion,
  parseApiVersion,
  previousVersion,
  releaseInstant,
} from './api-version.ts';
export { canonicalForm, contractHash } from './canonical.ts';
export type {
  Change,
  ChangeKind,
  ChangeSet,
  ErrorFacts,
  EventFacts,
  Example,
  Json,
  ResponseContext,
  Sample,
  UpgradableRequest,
} from './change.ts';
export {
  type ApiSource,
  type CompiledApi,
  type CompiledOperation,
  type CompiledVersion,
  compileApi,
  type Validate,
  type ValidationFinding,
} from './compile-api.ts';
export type { Body, Contract, EventKind, JsonSchema, Method, Operation, Security } from './contract.ts';
export { type FreezeLock, type FrozenState, frozenProblems } from './freeze-gate.ts';
export { fromOpenApi, type OpenApiDocument, toOpenApi } from './openapi.ts';
export { type ReleaseNotes, releaseNotes } from './release-notes.ts';
export { releaseNotesMarkdown } from './release-notes-markdown.ts';
export { createVersionSelector, type Selection } from './select-version.ts';
export { type Exchange, type Tape, tapeHash } from './tape.ts';
