import { readFileSync, statSync } from 'node:fs';
import { StartupError } from '../errors/startup-error.ts';
import { errorCode } from '../kernel/error-facts.ts';
import { type ProcessEnv, type Setting, type SettingName, settingNames, settings } from './settings.ts';

/** A secret setting, and the file that it is read from. */
export interface SecretFile {
  setting: SettingName;
  /** The variable that names the file. */
  variable: string;
  path: string;
}

/** The variable that names the file of a setting; null for one that is not secret. */
export function secretFileVariable(name: SettingName): string | null {
  const setting: Setting<unknown> = settings[name];
  return setting.secret ? `${name}_FILE` : null;
}

/** True for a variable that names the file of a secret setting. */
export function namesSecretFile(variable: string): boolean {
  return settingNames.some((name) => secretFileVariable(name) === variable);
}

/** The files that are named. A variable that is set but empty counts as not set. */
export function secretFilesIn(env: ProcessEnv): SecretFile[] {
  return settingNames.flatMap((setting) => {
    const variable = secretFileVariable(setting);
    const path = variable && env[variable];
    return variable && path ? [{ setting, variable, path }] : [];
  });
}

/** The variables, with the contents of the files that some of them name. */
export function withSecretFiles(env: ProcessEnv): ProcessEnv {
  const read = secretFilesIn(env).map(({ setting, variable, path }): [string, string] => {
    if (env[setting]) throw new StartupError(`${setting} and ${variable} are both set; keep one of them.`);
    return [setting, readSecret(variable, path)];
  });
  return { ...env, ...Object.fromEntries(read) };
}

/** Returns the one line of a file. What is refused is named by its path, never by its content. */
function readSecret(variable: string, path: string): string {
  try {
    refuseUnlessSmallFile(path);
    const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
    if (text.trim() === '') throw new UnusableFile('is empty; write the secret into it');
    if (/[\r\n]/.test(text)) throw new UnusableFile('has more than one line; write the secret alone into it');
    return text;
  } catch (error) {
    throw new StartupError(`${variable}: ${path} ${reasonOf(error)}.`);
  }
}

class UnusableFile extends Error {}

const BYTES_MAX = 65_536;

/** A pipe that nobody writes into would be read for ever. */
function refuseUnlessSmallFile(path: string): void {
  const facts = statSync(path);
  if (facts.isDirectory()) throw new UnusableFile('is a folder; name the file in it');
  if (!facts.isFile()) throw new UnusableFile('is not an ordinary file; name one that holds the secret');
  if (facts.size > BYTES_MAX)
    throw new UnusableFile(
      `is larger than ${BYTES_MAX / 1024} KiB; name the file that holds the secret alone`,
    );
}

function reasonOf(error: unknown): string {
  if (error instanceof UnusableFile) return error.message;
  const code = errorCode(error);
  if (code === 'ENOENT') return 'does not exist; create it, or correct the path';
  return `cannot be read (${code}); give this user access to it`;
}
