// All that the engine offers. See README.md.
export { type ApiSource, type ApiStep, apiSteps } from './compile/api-steps.ts';
export type { ChangePassage, PassageWatch } from './compile/bridge.ts';
export {
  type ApiFinding,
  apiFindings,
  apiProblems,
  changeFinder,
  InvalidApiError,
} from './compile/check-api.ts';
export * from './compile/compile-api.ts';
export { contractDifferences } from './compile/contract-differences.ts';
export { differencePointer } from './compile/difference-pointer.ts';
export { createLiveContracts, type LiveContracts } from './compile/live-contracts.ts';
export { mergeApis } from './compile/merge-apis.ts';
export { canonicalForm, contractHash } from './contract/canonical.ts';
export type {
  Change,
  ChangeKind,
  ChangeSet,
  Content,
  ErrorFacts,
  EventFacts,
  Example,
  Headers,
  Json,
  ResponseContext,
  Sample,
  UpgradableRequest,
} from './contract/change.ts';
export * from './contract/contract.ts';
export * from './contract/differences.ts';
export { fromOpenApi } from './contract/from-openapi.ts';
export {
  fillPath,
  type PathFiller,
  parametersIn,
  pathFiller,
  pathShape,
} from './contract/path-template.ts';
export { requirementsOf, toOpenApi } from './contract/to-openapi.ts';
export type { Draft } from './draft/draft.ts';
export { draftChanges } from './draft/draft-changes.ts';
export * from './freeze/freeze-gate.ts';
export * from './freeze/tape.ts';
export * from './notes/release-notes.ts';
export { releaseNotesMarkdown } from './notes/release-notes-markdown.ts';
export { type SampleText, sampleText } from './notes/sample-text.ts';
export { bundleOpenApi, type OpenApiBundle } from './openapi/bundle-openapi.ts';
export { keysOfPointer, pointerBelow, valueAt } from './openapi/json-pointer.ts';
export { type Held, heldBy, type OpenApiKind, openApiGrammar } from './openapi/openapi-grammar.ts';
export { type OpenApiProblem, openApiProblemText } from './openapi/openapi-problem.ts';
export { type OpenApiReference, readReference } from './openapi/openapi-reference.ts';
export { type OpenApiDocument, plainDataProblem } from './openapi/plain-data.ts';
export { referencedFiles } from './openapi/referenced-files.ts';
export { withUsedComponents } from './openapi/used-components.ts';
export { stepProofProblems } from './proof/prove-step.ts';
export { type TestedBetween, testChange } from './proof/test-change.ts';
export type { OpenApiOptions } from './reading/openapi-reader.ts';
export { isJsonType } from './reading/read-content.ts';
export { type OpenApiContract, readOpenApi } from './reading/read-openapi.ts';
export { drawnSample } from './samples/drawn-sample.ts';
export { deref, partAt, sampleIn, statedExamples } from './samples/sample-in.ts';
export { sampleOf } from './samples/sample-of.ts';
export { type SlowPattern, slowPatternProblems, slowPatterns } from './schema/patterns/slow-patterns.ts';
export { type MarkedMembers, markedMembers } from './schema/schema-marks.ts';
export { TextShape } from './schema/text-shape.ts';
export {
  bodyValidators,
  responseValidators,
  type Validate,
  type ValidationFinding,
  validator,
} from './schema/validator.ts';
export * from './version/api-version.ts';
export * from './version/select-version.ts';
export {
  type DefineTypedChanges,
  defineChanges,
  type StepTypes,
  type TypedChange,
  type VersionTypes,
} from './written/define-changes.ts';
export { type ExpandedChanges, expandChangeSets, expandChanges } from './written/expand-changes.ts';
export {
  at,
  event,
  type FieldChanges,
  operation,
  schema,
  together,
  undecided,
} from './written/write-changes.ts';
export {
  type ChangeGroup,
  type EventChange,
  type FieldChange,
  isUndecided,
  type OperationChange,
  type Undecided,
  type WrittenChange,
  type WrittenChangeSet,
} from './written/written-change.ts';
