import { secretFilesIn, secretFileVariable } from './secret-files.ts';
import { type ProcessEnv, type Setting, type SettingName, settingNames, settings } from './settings.ts';

export interface SettingRow {
  name: SettingName;
  value: string | null;
  /** `environment`, `default`, or `from file` and its path. */
  origin: string;
  description: string;
}

/** Every setting with its value and where that came from. A secret shows only that it is set. */
export function settingRows(env: ProcessEnv): SettingRow[] {
  return settingNames.map((name) => {
    const setting: Setting<unknown> = settings[name];
    const origin = originOf(env, name);
    const text = env[name] || setting.fallback;
    const isSet = origin !== 'default' || text !== null;
    return {
      name,
      value: setting.secret ? (isSet ? 'set' : null) : text,
      origin,
      description: setting.description,
    };
  });
}

/** A variable that is set but empty counts as not set. */
function originOf(env: ProcessEnv, name: SettingName): string {
  const file = secretFilesIn(env).find(({ setting }) => setting === name);
  if (file) return `from file ${file.path}`;
  return env[name] ? 'environment' : 'default';
}

/** The table of docs/settings.md; `npm run docs` writes it and a test compares it. */
export function settingsMarkdown(): string {
  const rows = settingRows({}).map(
    ({ name, value, description }) =>
      `| ${namesOf(name)} | ${value ? `\`${value}\`` : '—'} | ${description} |`,
  );
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n');
}

function namesOf(name: SettingName): string {
  const file = secretFileVariable(name);
  return file === null ? `\`${name}\`` : `\`${name}\`<br>\`${file}\``;
}
