import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE, CONFIG_MODULE } from './folder-files.ts';

/** Makes a folder of the template one in TypeScript. */
export function turnIntoTypeScript(folder: string): void {
  const config = `${CONFIG_MODULE}.ts`;
  renameSync(join(folder, CONFIG_FILE), join(folder, config));
  edit(join(folder, config), (text) =>
    text
      .replace(
        'export default {',
        "import { defineConfig } from 'dateline/folder';\n\nexport default defineConfig({",
      )
      .replace(/\};\n$/, '});\n'),
  );
  edit(join(folder, 'README.md'), (text) =>
    text.replaceAll(CONFIG_FILE, config).replace('## Publish an event', `${TYPES}\n## Publish an event`),
  );
  writeFileSync(join(folder, 'tsconfig.json'), `${JSON.stringify(COMPILER, null, 2)}\n`);
}

const COMPILER = {
  compilerOptions: {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    allowImportingTsExtensions: true,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts', 'contract/changes'],
};

const TYPES = `## Types

\`contract/types/\` has the types of each version and of each step between two. After an edit of \`contract/next.yaml\`,
\`npx dateline contract types\` writes them anew. An editor, and \`npx tsc\`, check configuration and changes with them:

\`\`\`sh
npm install --save-dev dateline typescript @types/node
npx tsc
\`\`\`
`;

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
