import type { Server } from 'node:http';

/** The server of the example; `issuer` is the address of the Dateline environment that may call. */
export function createUpstream(issuer: string, now?: () => number): Server;
