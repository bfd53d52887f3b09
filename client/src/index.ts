/**
 * Errors and types only: there is no client here, so that no version is used by accident. Import one by its version:
 * `@dateline/client/<YYYY-MM>`.
 */

export * from './core/dateline-error.ts';
export * from './core/errors.ts';
export * from './core/errors.ts';
export type * from './core/types.ts';
export * from './core/webhooks/webhook-errors.ts';
export type * from './core/webhooks/webhook-types.ts';
export * from './shared/error-classes.ts';
