// All that the engine offers. See README.md.
export { type ApiSource, type ApiStep, apiSteps } from './compile/api-steps.ts';
export { apiProblems, changeTouching, InvalidApiError } from './compile/check-api.ts';
export {
  type CompiledApi,
  type CompiledOperation,
  type CompiledVersion,
  compileApi,
} from './compile/compile-api.ts';
export { createLiveContracts, type LiveContracts } from './compile/live-contracts.ts';
export { mergeApis } from './compile/merge-apis.ts';
export { canonicalForm, contractHash } from './contract/canonical.ts';
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
} from './contract/change.ts';
export {
  type Body,
  type Contract,
  type ErrorShape,
  type EventKind,
  type JsonSchema,
  type Method,
  methods,
  type Operation,
  type Security,
} from './contract/contract.ts';
export { contractDifferences, type Difference, differencesBetween } from './contract/contract-differences.ts';
export { fromOpenApi } from './contract/from-openapi.ts';
export { toOpenApi } from './contract/to-openapi.ts';
export {
  type FreezeLock,
  type FreezeWords,
  type FrozenState,
  frozenProblems,
  recordingProblem,
} from './freeze/freeze-gate.ts';
export {
  type Answer,
  type Ask,
  type Exchange,
  type Fault,
  type SentBody,
  type Tape,
  type TapeDifference,
  tapeDifferences,
  tapeHash,
} from './freeze/tape.ts';
export {
  type ReleaseNote,
  type ReleaseNoteGroup,
  type ReleaseNotes,
  releaseNotes,
  releaseNotesLead,
} from './notes/release-notes.ts';
export { releaseNotesMarkdown } from './notes/release-notes-markdown.ts';
export { type SampleText, sampleText } from './notes/sample-text.ts';
export { bundleOpenApi, type OpenApiBundle } from './openapi/bundle-openapi.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export { type OpenApiProblem, openApiProblemText } from './openapi/openapi-problem.ts';
export { referencedFiles } from './openapi/referenced-files.ts';

export type { OpenApiOptions } from './reading/openapi-reader.ts';
export { isJsonType } from './reading/read-content.ts';
export { readOpenApi } from './reading/read-openapi.ts';
export { sampleOf } from './samples/sample-of.ts';
export { type SlowPattern, slowPatternProblems, slowPatterns } from './schema/patterns/slow-patterns.ts';
export {
  bodyValidators,
  responseValidators,
  type Validate,
  type ValidationFinding,
  validator,
} from './schema/validator.ts';
export {
  type ApiVersion,
  apiVersion,
  isQuarterly,
  nextVersion,
  parseApiVersion,
  previousVersion,
  releaseInstant,
} from './version/api-version.ts';
export {
  createVersionSelector,
  type MaintainedVersions,
  type RejectionReason,
  type Selection,
  type VersionSelector,
} from './version/select-version.ts';
