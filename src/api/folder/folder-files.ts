/** The layout of an API folder; paths are relative to it. */
/** The configuration as it is called by default; `configFileOf` knows the file that a folder has. */
export const CONFIG_FILE = 'dateline.config.mjs';
export const CONTRACT_FOLDER = 'contract';
export const NEXT_FILE = `${CONTRACT_FOLDER}/next.yaml`;
export const FROZEN_FOLDER = `${CONTRACT_FOLDER}/frozen`;
export const LOCK_FILE = `${FROZEN_FOLDER}/lock.json`;
export const CHANGES_FOLDER = `${CONTRACT_FOLDER}/changes`;
export const HANDLERS_FILE = 'handlers.mjs';
export const ERRORS_FILE = 'errors.mjs';

/** Modules without their extension. */
export const CONFIG_MODULE = 'dateline.config';
export const HANDLERS_MODULE = 'handlers';
export const ERRORS_MODULE = 'errors';
export const TYPES_FOLDER = `${CONTRACT_FOLDER}/types`;

/** The extensions of modules. Names that other files of a project may have as well have none of plain JavaScript. */
export const MODULE_EXTENSIONS = ['.mjs', '.js', '.ts', '.mts'];
export const MARKED_EXTENSIONS = ['.mjs', '.ts', '.mts'];
