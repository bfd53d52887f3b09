/** The layout of an API folder; paths are relative to it. */
export const CONFIG_FILE = 'dateline.config.mjs';
export const CONTRACT_FOLDER = 'contract';
export const NEXT_FILE = `${CONTRACT_FOLDER}/next.yaml`;
export const FROZEN_FOLDER = `${CONTRACT_FOLDER}/frozen`;
export const LOCK_FILE = `${FROZEN_FOLDER}/lock.json`;
export const CHANGES_FOLDER = `${CONTRACT_FOLDER}/changes`;
export const HANDLERS_FILE = 'handlers.mjs';
export const ERRORS_FILE = 'errors.mjs';
