import { type ProcessEnv, settingOrigin } from './load-config.ts';
import { type Setting, settingNames, settings } from './settings.ts';

export interface SettingRow {
  name: string;
  value: string | null;
  origin: 'environment' | 'default';
  description: string;
}

/** Every setting with its value and where that came from. A secret shows only that it is set. */
export function settingRows(env: ProcessEnv): SettingRow[] {
  return settingNames.map((name) => {
    const setting: Setting<unknown> = settings[name];
    const text = env[name] || setting.fallback;
    return {
      name,
      value: setting.secret && text !== null ? 'set' : text,
      origin: settingOrigin(env, name),
      description: setting.description,
    };
  });
}

/** The table of docs/settings.md; `npm run docs` writes it and a test compares it. */
export function settingsMarkdown(): string {
  const rows = settingRows({}).map(
    ({ name, value, description }) => `| \`${name}\` | ${value ? `\`${value}\`` : '—'} | ${description} |`,
  );
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n');
}
