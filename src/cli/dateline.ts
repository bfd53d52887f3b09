import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type EnvironmentName, environmentNames } from '../environments/environment.ts';
import { StartupError } from '../errors/startup-error.ts';
import { errorMessage } from '../kernel/error-facts.ts';
import type { Command, CommandInput } from './command.ts';
import { CommandError, usageError } from './command-error.ts';
import { auditCommands } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { clientCommands } from './commands/client.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { contractCommands } from './commands/contract.ts';
import { devCommand } from './commands/dev.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventCommands } from './commands/event.ts';
import { failedRequestCommands } from './commands/failed-request.ts';
import { grantCommands } from './commands/grant.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { leakCommands } from './commands/leak.ts';
import { memberCommands } from './commands/member.ts';
import { migrateCommand } from './commands/migrate.ts';
import { nodeCommands } from './commands/node.ts';
import { operatorKeyCommands } from './commands/operator-key.ts';
import { orgCommands } from './commands/org.ts';
import { registrationTokenCommands } from './commands/registration-token.ts';
import { releaseCommands } from './commands/release.ts';
import { restoreCommand } from './commands/restore.ts';
import { scopeCommands } from './commands/scope.ts';
import { searchCommands } from './commands/search.ts';
import { secretKeyCommands } from './commands/secret-key.ts';
import { serveCommand, workerCommand } from './commands/serve.ts';
import { sessionCommands } from './commands/session.ts';
import { signingKeyCommands } from './commands/signing-key.ts';
import { tokenCommands } from './commands/token.ts';
import { usageCommand } from './commands/usage.ts';
import { userCommands } from './commands/user.ts';
import { versionsCommand } from './commands/versions.ts';
import { webhookCommands } from './commands/webhook.ts';
import { closest } from './did-you-mean.ts';
import { commandHelp, globalOptions, nounHelp, overallHelp } from './help.ts';
import { createOutput, type Streams } from './output.ts';

/**
 * The imports of this file are loaded for every command, also for help: names, texts and calls of the service only. A
 * command that needs more imports it when it runs.
 */
export const commands: readonly Command[] = [
  serveCommand,
  devCommand,
  initCommand,
  importCommand,
  workerCommand,
  migrateCommand,
  configCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  versionsCommand,
  ...searchCommands,
  ...nodeCommands,
  ...orgCommands,
  ...userCommands,
  ...memberCommands,
  ...clientCommands,
  ...scopeCommands,
  ...registrationTokenCommands,
  ...operatorKeyCommands,
  ...sessionCommands,
  ...grantCommands,
  ...tokenCommands,
  ...leakCommands,
  ...webhookCommands,
  ...eventCommands,
  ...failedRequestCommands,
  ...auditCommands,
  ...secretKeyCommands,
  ...signingKeyCommands,
  ...releaseCommands,
  usageCommand,
  ...contractCommands,
  completionCommand(() => commands),
];

/** Runs one command line and answers with the exit code. Only bugs come out as exceptions. */
export async function dateline(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<number> {
  try {
    await runCommandLine(args, env, streams);
    return 0;
  } catch (error) {
    const exitCode = await exitCodeOf(error);
    const message = errorMessage(error);
    streams.err(
      args.includes('--json') ? `${JSON.stringify({ error: message })}\n` : `dateline: ${message}\n`,
    );
    return exitCode;
  }
}

/** Of an error that answers the caller in sentences; any other is a bug, and is thrown again. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof StartupError) return 1;
  const { InvalidApiError } = await import('@dateline/versions');
  if (error instanceof InvalidApiError) return 1;
  throw error;
}

async function runCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<void> {
  const [first = '', ...rest] = args;
  const about = aboutDateline[first];
  if (about) return streams.out(about(rest));
  const command = findCommand(args);
  const wantsHelp = args.includes('--help') || args.includes('-h') || args.length === 0;
  if (wantsHelp) return streams.out(helpFor(command, first));
  if (!command) throw unknownCommand(args);
  await command.run(await parseInput(command, args.slice(command.name.split(' ').length), env, streams));
}

/** Commands about the command line itself. */
const aboutDateline: Readonly<Record<string, (topic: readonly string[]) => string>> = {
  help: helpOn,
  '--version': () => `${packageVersion()}\n`,
};

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}

/** `dateline help`, `dateline help org` or `dateline help org create`. */
function helpOn(topic: readonly string[]): string {
  const command = findCommand(topic);
  const isKnown = command !== undefined || topic.length === 0 || commandsOf(topic[0]).length > 0;
  if (!isKnown) throw unknownCommand(topic);
  return helpFor(command, topic[0]);
}

function findCommand(args: readonly string[]): Command | undefined {
  const named = args.slice(0, 2).join(' ');
  return commands.find(({ name, formerName }) => name === args[0] || name === named || formerName === named);
}

function helpFor(command: Command | undefined, noun = ''): string {
  if (command) return commandHelp(command);
  const ofNoun = commandsOf(noun);
  return ofNoun.length > 0 ? nounHelp(noun, ofNoun) : overallHelp(commands);
}

function commandsOf(noun: string | undefined): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${noun} `));
}

function unknownCommand(args: readonly string[]): CommandError {
  const [noun = '', verb = ''] = args;
  const meant = meantCommand(noun, verb);
  const verbs = verbsOf(noun);
  if (verbs.length > 0) {
    const hint = meant === null ? '.' : `; did you mean "dateline ${meant}"?`;
    return usageError(`"dateline ${noun}" needs one of: ${verbs.join(', ')}${hint}`);
  }
  const hint = meant === null ? '' : ` did you mean "dateline ${meant}"?`;
  return usageError(`There is no command "${noun}";${hint} "dateline --help" lists them all.`);
}

/** The command that is spelt most like these words; null where none is. */
function meantCommand(noun: string, verb: string): string | null {
  const firsts = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));
  const meantNoun = firsts.has(noun) ? noun : closest(noun, [...firsts]);
  if (meantNoun === null) return null;
  const verbs = verbsOf(meantNoun);
  const meantVerb = verbs.includes(verb) ? verb : closest(verb, verbs);
  if (meantVerb !== null) return `${meantNoun} ${meantVerb}`;
  return meantNoun === noun ? null : meantNoun;
}

function verbsOf(noun: string): string[] {
  return commandsOf(noun).map(({ name }) => name.slice(noun.length + 1));
}

async function parseInput(
  command: Command,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<CommandInput> {
  const { values, positionals } = parseOptions(command, args);
  const output = createOutput(values.json === true, streams);
  const optional = (option: string): string | undefined => textOf(values[option]);
  const environment = parseEnvironment(optional('environment'));
  for (const [name, { required }] of Object.entries(command.options ?? {})) {
    if (required && !optional(name))
      throw usageError(`--${name} is missing; see "dateline ${command.name} --help".`);
  }
  const [fewest, most] = [command.argument && !command.argumentOptional ? 1 : 0, command.argument ? 1 : 0];
  if (positionals.length < fewest || positionals.length > most) {
    const wanted = command.argument ? `takes one <${command.argument}>` : 'takes no arguments';
    throw usageError(`"dateline ${command.name}" ${wanted}; see "dateline ${command.name} --help".`);
  }
  const { createOperatorApi } = await import('./operator-api.ts');
  return {
    env,
    environment,
    output,
    required: (option) => optional(option) ?? '',
    optional,
    isSet: (option) => values[option] === true,
    argument: positionals[0] ?? '',
    api: (of = environment) => createOperatorApi({ env, environment: of, output, url: optional('url') }),
  };
}

interface ParsedOptions {
  values: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
}

function parseOptions(command: Command, args: readonly string[]): ParsedOptions {
  const own = Object.entries(command.options ?? {}).map(
    ([name, { placeholder }]) => [name, { type: placeholder ? 'string' : 'boolean' }] as const,
  );
  try {
    const parsed = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(own),
        environment: { type: 'string' },
        url: { type: 'string' },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    return { values: parsed.values, positionals: parsed.positionals };
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('. ');
    const meant = meantOption(command, reason);
    const hint = meant === null ? 'see' : `did you mean "${meant}"? See`;
    throw usageError(`${reason}; ${hint} "dateline ${command.name} --help".`);
  }
}

/** The option of the command that is spelt most like the unknown one. */
function meantOption(command: Command, reason: string): string | null {
  const typed = /^Unknown option '(--[^']+)'/.exec(reason)?.[1];
  if (typed === undefined) return null;
  const own = Object.keys(command.options ?? {}).map((name) => `--${name}`);
  return closest(typed, [...own, ...globalOptions.map(([usage]) => usage.split(' ')[0] ?? '')]);
}

/** Switches have no text. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parseEnvironment(text = 'sandbox'): EnvironmentName {
  const name = environmentNames.find((candidate) => candidate === text);
  if (!name) throw usageError(`--environment must be ${environmentNames.join(' or ')}; "${text}" is not.`);
  return name;
}
