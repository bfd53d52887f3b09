/**
 * Stops the compiler where fields are left over after all that are known were taken: whoever adds a field decides
 * there what becomes of it, and nothing that was accepted is dropped in silence.
 */
export function allMapped(_rest: Readonly<Record<string, never>>): void {}
