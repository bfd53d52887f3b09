/**
 * Fails to compile where a field is left over after all known ones were taken. A new field must be handled there, so that
 * none is accepted and then dropped.
 */
export function allMapped(_rest: Readonly<Record<string, never>>): void {}
