import type { Command } from './command.ts';

/** Options of every command, with their descriptions. */
export const globalOptions: readonly (readonly [string, string])[] = [
  [
    '--environment sandbox|production',
    'Which environment to work on (default sandbox; production is always named)',
  ],
  ['--url <address>', 'Where the service is, such as http://127.0.0.1:4001'],
  ['--json', 'Print results as JSON'],
  ['--help', 'Show this help'],
];

export function overallHelp(commands: readonly Command[]): string {
  return `Dateline: an OAuth 2.0 token service with a dated API contract.

Usage: dateline <command> [options]

Commands:
${columns(commands.map((command) => [usage(command), command.description]))}
Options of every command:
${columns(globalOptions)}
"dateline help <command>" describes one of them; "dateline --version" prints the version of the service.
Settings come from environment variables: "dateline config" lists them. Without --url, and without settings of its
address, the service is looked for where quickstart.json in the data folder says.
The operator key is read from DATELINE_OPERATOR_KEY (production) or DATELINE_SANDBOX_OPERATOR_KEY,
or else from quickstart.json in the data folder.
`;
}

export function nounHelp(noun: string, commands: readonly Command[]): string {
  return `Usage: dateline ${noun} <verb> [options]

${columns(commands.map((command) => [usage(command), command.description]))}`;
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(
    ([name, { placeholder, required, description }]) =>
      [
        `--${name}${placeholder ? ` <${placeholder}>` : ''}`,
        `${description}${required ? ' (required)' : ''}`,
      ] as const,
  );
  return `${command.description}.

Usage: dateline ${usage(command)} [options]

Options:
${columns([...options, ...globalOptions])}
Examples:
${command.examples.map((example) => `  ${example}\n`).join('')}`;
}

function usage({ name, argument, argumentOptional }: Command): string {
  if (argument === undefined) return name;
  return argumentOptional ? `${name} [<${argument}>]` : `${name} <${argument}>`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
