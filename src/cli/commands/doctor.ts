import { loadConfig } from '../../config/load-config.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { Command, CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { type Json, listIn } from '../json.ts';

interface Row extends Record<string, unknown> {
  check: string;
  state: string;
  message: string;
}

export const doctorCommand: Command = {
  name: 'doctor',
  description:
    'Check configuration, service, database, clock, keys, addresses, backups, deliveries, nodes and upstream; exits with 1 if there is a problem',
  options: {
    production: {
      description:
        'Look at all that must be settled before going live, in production unless --environment names the sandbox',
    },
  },
  examples: [
    'dateline doctor',
    'dateline doctor --environment production --json',
    'dateline doctor --production',
  ],
  async run(input) {
    const rows = await examine(input.isSet('production') ? inProduction(input) : input);
    input.output.list(rows, ['check', 'state', 'message'], 'Nothing was checked.');
    const problems = rows.filter(({ state }) => state === 'problem').length;
    if (problems > 0) throw new CommandError(`${problems} of ${rows.length} checks found a problem.`);
  },
};

/** The switch names production: only another name changes that. */
function inProduction(input: CommandInput): CommandInput {
  const environment = input.optional('environment') === 'sandbox' ? 'sandbox' : 'production';
  return { ...input, environment, api: () => input.api(environment) };
}

/** In this order: each needs what the ones before it have checked. */
async function examine(input: CommandInput): Promise<Row[]> {
  const configuration = await asRow('configuration', async () => {
    loadConfig(input.env);
    return 'All settings can be read; "dateline config" shows them.';
  });
  if (configuration.state === 'problem') return [configuration];
  const service = await asRow('service', () => askService(input));
  if (service.state === 'problem') return [configuration, service];
  const found = await findings(input);
  return [configuration, service, ...found];
}

/** Through the address that clients use, where one is set. */
async function askService({ env, environment, api }: CommandInput): Promise<string> {
  const { baseUrl, publicUrl, getPublic } = api();
  // Operators have this on a port of their own too, which is what --url may name.
  await getPublic('/versions');
  if (loadConfig(env)[environment].publicUrl === publicUrl) {
    const { issuer } = await getPublic('/.well-known/oauth-authorization-server');
    if (issuer !== publicUrl)
      throw new CommandError(
        `The service at ${publicUrl} calls itself ${issuer}; start it with the same address.`,
      );
  }
  return `${environment} answers at ${publicUrl}${baseUrl === publicUrl ? '' : `, and its operators at ${baseUrl}`}.`;
}

async function findings({ api, isSet }: CommandInput): Promise<Row[]> {
  const query = isSet('production') ? '?before=production' : '';
  try {
    return listIn((await api().get(`/operator/doctor${query}`)).items).map(toRow);
  } catch (error) {
    return [{ check: 'database', state: 'problem', message: errorMessage(error) }];
  }
}

function toRow({ check, state, message }: Json): Row {
  return { check: String(check), state: String(state), message: String(message) };
}

async function asRow(check: string, look: () => Promise<string>): Promise<Row> {
  try {
    return { check, state: 'ok', message: await look() };
  } catch (error) {
    return { check, state: 'problem', message: errorMessage(error) };
  }
}
