import { readMigrations } from '../storage/migrations.ts';

/** The migrations of all rooms; their numbers give the order. */
export const migrations = readMigrations(
  [
    '../identity/migrations/',
    '../oauth/migrations/',
    '../quickstart/migrations/',
    '../products/migrations/',
    '../releases/migrations/',
    '../idempotency/migrations/',
    '../audit/migrations/',
    '../webhooks/migrations/',
    '../usage/migrations/',
    '../secrets/migrations/',
    '../doctor/migrations/',
    '../api/migrations/',
  ].map((folder) => new URL(folder, import.meta.url)),
);
