import type { ValidationFinding } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';

/** Turns the validator's findings into one sentence that names the fields. Values are left out: they may be secret. */
export function validationError(errors: readonly ValidationFinding[]): ApiError {
  const findings = errors.flatMap((error) => describe(error));
  return new ApiError('validation_failed', { detail: `${[...new Set(findings)].join('; ')}.` });
}

function describe(error: ValidationFinding): string[] {
  const field = error.instancePath.slice(1).replaceAll('/', '.') || 'the body';
  switch (error.keyword) {
    case 'required':
      return namesIn(error.params, 'requiredProperties').map((name) => `${name} is missing`);
    case 'additionalProperties':
      return namesIn(error.params, 'additionalProperties').map(
        (name) => `${name} is not a field of this request`,
      );
    case 'boolean':
      return []; // additionalProperties reports the same, and better.
    case 'enum':
      return [`${field} must be one of ${allowedValues(error).join(', ')}`];
    case 'pattern':
      return [`${field} has characters or a form that are not allowed`];
    default:
      return [`${field} ${error.message}`];
  }
}

/** A list among a finding's parameters, such as the names of missing properties. */
export function namesIn(params: object, member: string): string[] {
  const named: unknown = Object.entries(params).find(([name]) => name === member)?.[1];
  return Array.isArray(named) ? named.map(String) : [];
}

/** Null means that the field is left out, which is not worth naming. */
function allowedValues({ params }: ValidationFinding): string[] {
  return namesIn(params, 'allowedValues').filter((value) => value !== 'null');
}
