// All that the engine offers. See README.md.
export { type ApiSource, type ApiStep, apiSteps } from './api-steps.ts';
export {
  type ApiVersion,
  apiVersion,
  isQuarterly,
  nextVersion,
  parseApiVersion,
  previousVersion,
  releaseInstant,
} from './api-version.ts';
export { bundleOpenApi, type OpenApiBundle } from './bundle-openapi.ts';
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
export { apiProblems, changeTouching, InvalidApiError } from './check-api.ts';
export {
  type CompiledApi,
  type CompiledOperation,
  type CompiledVersion,
  compileApi,
} from './compile-api.ts';
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
} from './contract.ts';
export { contractDifferences } from './contract-differences.ts';
export { type Difference, differencesBetween } from './differences.ts';
export { type FreezeLock, type FrozenState, frozenProblems, recordingProblem } from './freeze-gate.ts';
export { createLiveContracts, type LiveContracts } from './live-contracts.ts';
export { mergeApis } from './merge-apis.ts';
export { fromOpenApi, type OpenApiDocument, toOpenApi } from './openapi.ts';
export { type OpenApiProblem, openApiProblemText } from './openapi-problem.ts';
export type { OpenApiOptions } from './openapi-reader.ts';
export { isJsonType } from './read-content.ts';
export { readOpenApi } from './read-openapi.ts';
export { referencedFiles } from './referenced-files.ts';
export {
  type ReleaseNote,
  type ReleaseNoteGroup,
  type ReleaseNotes,
  releaseNotes,
  releaseNotesLead,
} from './release-notes.ts';
export { releaseNotesMarkdown } from './release-notes-markdown.ts';
export { sampleOf } from './sample-of.ts';
export { type SampleText, sampleText } from './sample-text.ts';
export {
  createVersionSelector,
  type MaintainedVersions,
  type RejectionReason,
  type Selection,
  type VersionSelector,
} from './select-version.ts';
export { type SlowPattern, slowPatternProblems, slowPatterns } from './slow-patterns.ts';
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
} from './tape.ts';
export {
  bodyValidators,
  responseValidators,
  type Validate,
  type ValidationFinding,
  validator,
} from './validator.ts';
