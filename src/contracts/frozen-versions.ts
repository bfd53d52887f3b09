import { apiVersion } from '../versions/api-version.ts';

/** The versions whose contract can no longer change. The one after the newest of them is Next. */
export const frozenVersions = [apiVersion('2026-07'), apiVersion('2026-10')] as const;
