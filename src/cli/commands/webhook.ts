import { errorMessage } from '../../kernel/error-facts.ts';
import { urlOf } from '../../kernel/url.ts';
import { type Command, type CommandInput, postTo } from '../command.ts';
import { CommandError, usageError } from '../command-error.ts';
import { listAll } from '../input/filters.ts';
import { disable, reason } from '../input/reason-option.ts';
import { timeOption } from '../input/time-option.ts';
import { type Json, objectIn } from '../json.ts';
import { withLastFailure } from '../last-failure.ts';

const organization = { placeholder: 'id', required: true, description: 'Whose webhooks' } as const;

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhook list',
    description: 'List the webhook endpoints of one organization or all, and how deliveries to them go',
    options: {
      organization: { placeholder: 'organization-id', description: 'Only those of this organization' },
      condition: {
        placeholder: 'condition',
        description: 'Only those that are healthy, failing or disabled',
      },
      'api-version': { placeholder: 'YYYY-MM', description: 'Only those whose events have this version' },
      search: {
        placeholder: 'text',
        description: 'Only those with this text in the address, or with this id',
      },
    },
    examples: [
      'dateline webhook list --organization org_…',
      'dateline webhook list --condition failing --environment production',
    ],
    async run(input) {
      const reach = { organization: 'organization_id', 'api-version': 'api_version' };
      const filters = { ...reach, condition: 'condition', search: 'search' };
      const endpoints = await listAll(input, '/operator/webhooks/endpoints', filters);
      const settings = ['id', 'url', 'format', 'api_version', 'pinned_version', 'enabled', 'events'];
      const health = ['failing_since', 'last_success_at', 'last_failure', 'organization_id'];
      const rows = input.output.json ? endpoints : withLastFailure(endpoints);
      input.output.list(rows, [...settings, ...health], 'There is no such webhook endpoint.');
    },
  },
  {
    name: 'webhook show',
    description: 'Show a webhook endpoint, how deliveries to it go, and its last recovery',
    argument: 'endpoint-id',
    examples: ['dateline webhook show whe_…'],
    async run({ api, output, argument }) {
      const endpoint = await api().get(endpointPath(argument));
      const { recovery } = await api().get(`${endpointPath(argument)}/recovery`);
      output.item({ ...endpoint, recovery });
    },
  },
  {
    name: 'webhook queue',
    description: 'Count the webhook events that wait, and the endpoints that are failing or disabled',
    examples: ['dateline webhook queue --environment production'],
    async run({ api, output }) {
      output.item(await api().get('/operator/webhooks/queue'));
    },
  },
  {
    name: 'webhook test',
    description: 'Send the example of a kind of event to a webhook endpoint',
    argument: 'endpoint-id',
    options: {
      type: { placeholder: 'kind', required: true, description: 'The kind, such as product.created' },
      'api-version': {
        placeholder: 'YYYY-MM',
        description: 'The version of the example (default: that of the endpoint)',
      },
    },
    examples: ['dateline webhook test whe_… --type product.created'],
    async run({ api, output, argument, required, optional }) {
      const version = optional('api-version');
      const body = { type: required('type'), ...(version === undefined ? {} : { api_version: version }) };
      output.item(await api().post(`${endpointPath(argument)}/test`, body));
      output.note('It is sent shortly; "dateline event attempts" with its id shows what came back.');
    },
  },
  {
    name: 'webhook recover',
    description: 'Send again what a webhook endpoint missed since a time',
    argument: 'endpoint-id',
    options: {
      since: {
        placeholder: 'time',
        required: true,
        description: 'From when on, such as 2026-11-15T12:00:00Z',
      },
    },
    examples: ['dateline webhook recover whe_… --since 2026-11-15T12:00:00Z'],
    async run(input) {
      const { organization_id: owner } = await input.api().get(endpointPath(input.argument));
      const path = `${webhooksPath(String(owner))}/endpoints/${encodeURIComponent(input.argument)}/recover`;
      input.output.item(await input.api().post(path, { since: timeOption(input, 'since') }));
    },
  },
  {
    name: 'webhook listen',
    description:
      "Receive an organization's sandbox events here and forward them, signed, to an address of yours",
    options: {
      organization,
      'forward-to': {
        placeholder: 'url',
        required: true,
        description: 'Where to send them, such as http://localhost:3000/hook',
      },
      'api-version': {
        placeholder: 'YYYY-MM',
        description: 'The version that its events are in (default: Current)',
      },
      events: {
        placeholder: 'kinds',
        description: 'Kinds, separated by commas, such as product.* (default: all)',
      },
    },
    examples: ['dateline webhook listen --organization org_… --forward-to http://localhost:3000/hook'],
    run: listenAndForward,
  },
  {
    name: 'webhook replay',
    description: 'The former name of "event redeliver" and "webhook recover"',
    argument: 'event id',
    argumentOptional: true,
    options: {
      organization,
      endpoint: { placeholder: 'id', description: 'The endpoint that missed events; needs --since' },
      since: {
        placeholder: 'time',
        description: 'From when on, such as 2026-11-15T12:00:00Z; needs --endpoint',
      },
    },
    examples: [
      'dateline webhook replay evt_… --organization org_…',
      'dateline webhook replay --organization org_… --endpoint whe_… --since 2026-11-15T12:00:00Z',
    ],
    run: replay,
  },
  {
    name: 'webhook disable',
    description: 'Stop deliveries to a webhook endpoint; its organization cannot enable it until you let it',
    argument: 'endpoint-id',
    options: { reason },
    examples: ["dateline webhook disable whe_… --reason 'its owner asked for it'"],
    run: disable('webhooks/endpoints'),
  },
  {
    name: 'webhook enable',
    formerName: 'webhook release',
    description: 'Let an organization enable a webhook endpoint again that an operator disabled',
    argument: 'endpoint-id',
    examples: ['dateline webhook enable whe_…'],
    run: postTo('webhooks/endpoints', 'enable'),
  },
  {
    name: 'webhook delete',
    description: 'Delete a webhook endpoint; its events stay readable',
    argument: 'endpoint-id',
    options: { yes: { description: 'Delete it; without this nothing is deleted' } },
    examples: ['dateline webhook delete whe_… --yes'],
    async run({ api, output, argument, isSet }) {
      if (!isSet('yes'))
        return output.note(`Nothing was deleted. Pass --yes to delete the endpoint ${argument} for good.`);
      await api().delete(endpointPath(argument));
      output.item({ id: argument, deleted: true });
    },
  },
];

function endpointPath(id: string): string {
  return `/operator/webhooks/endpoints/${encodeURIComponent(id)}`;
}

function webhooksPath(organizationId: string): string {
  return `/operator/organizations/${encodeURIComponent(organizationId)}/webhooks`;
}

async function replay({ api, output, argument, required, optional }: CommandInput): Promise<void> {
  const path = webhooksPath(required('organization'));
  const [endpoint, since] = [optional('endpoint'), optional('since')];
  if (argument !== '' && endpoint === undefined && since === undefined)
    return output.item(await api().post(`${path}/events/${encodeURIComponent(argument)}/redeliver`));
  if (argument !== '' || endpoint === undefined || since === undefined)
    throw usageError('Name an event, or --endpoint and --since.');
  output.item(await api().post(`${path}/endpoints/${encodeURIComponent(endpoint)}/recover`, { since }));
}

interface Delivery {
  headers: Record<string, string>;
  body: string;
}

async function listenAndForward({ api, output, required, optional }: CommandInput): Promise<void> {
  const target = required('forward-to');
  if (urlOf(target) === null)
    throw usageError('--forward-to must be an address, such as http://localhost:3000/hook.');
  const query = new URLSearchParams();
  const [apiVersion, events] = [optional('api-version'), optional('events')];
  if (apiVersion !== undefined) query.set('api_version', apiVersion);
  if (events !== undefined) query.set('events', events);
  const path = `${webhooksPath(required('organization'))}/listen?${query}`;
  for await (const line of api().lines(path)) {
    if (line.listening === true) {
      output.note(`Listening in ${line.api_version}; forwarding to ${target}. Stop with Ctrl-C.`);
      output.note(`Verify with the secret ${line.secret} (it lasts as long as this command).`);
    } else if (line.ended !== undefined) {
      throw new CommandError(String(line.ended));
    } else {
      output.item({ type: line.type, ...(await forward(target, deliveryIn(line))) });
    }
  }
}

function deliveryIn({ headers, body }: Json): Delivery {
  const sent = Object.entries(objectIn(headers)).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(sent), body: String(body) };
}

const FORWARD_MS = 15_000;

async function forward(target: string, { headers, body }: Delivery): Promise<Json> {
  const event = { id: headers['webhook-id'], api_version: headers['webhook-api-version'] };
  try {
    const signal = AbortSignal.timeout(FORWARD_MS);
    const response = await fetch(target, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    return { ...event, status: response.status };
  } catch (error) {
    return { ...event, status: null, problem: errorMessage(error) };
  }
}
