import { readMigrations } from '../storage/migrations.ts';
import { readRights } from '../storage/rights.ts';

const folders = [
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
  '../standbys/migrations/',
  '../api/migrations/',
].map((folder) => new URL(folder, import.meta.url));

/** The migrations of all rooms; their numbers give the order. */
export const migrations = readMigrations(folders);

/** What the role that serves may do, where it is not the one that owns the tables. */
export const rights = readRights(folders);
