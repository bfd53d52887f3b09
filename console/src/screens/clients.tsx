import { answerOf, api, type ItemOf } from '../api.ts';
import { Act, Field, Secret } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { Id } from '../parts/facts.tsx';
import { LastFailure } from '../parts/last-failure.tsx';
import { List, Search } from '../parts/list.tsx';
import { Named } from '../parts/named.tsx';
import { Picker } from '../parts/picker.tsx';
import { ScopeChoice, scopesIn } from '../parts/scope-choice.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { go, hrefOf, query } from '../router.ts';

type Client = ItemOf<'/operator/clients'>;

const columns: readonly Column<Client>[] = [
  { name: 'Name', isText: true, shows: ({ id, name }) => <Named kind="client" id={id} name={name} /> },
  { name: 'Kind', shows: ({ kind }) => kind },
  {
    name: 'State',
    shows: ({ disabled_at }) =>
      disabled_at ? <Badge tone="bad">disabled</Badge> : <Badge tone="good">enabled</Badge>,
  },
  {
    name: 'Organization',
    isText: true,
    shows: ({ organization_id: id, organization_name: name }) => (
      <Named kind="organization" id={id} name={name} />
    ),
  },
  {
    name: 'Last error',
    isText: true,
    shows: ({ last_failure: failure }) => (
      <LastFailure failure={failure && { ...failure, message: wordsOf(failure) }} />
    ),
  },
  { name: 'Created', shows: ({ created_at }) => <Time at={created_at} /> },
];

const wordsOf = ({ status, code, operation }: NonNullable<Client['last_failure']>): string =>
  `${status} ${code ?? ''} ${operation ?? ''}`.trim();

export function ClientsScreen() {
  const search = query.value.get('search') ?? '';
  const organization = query.value.get('organization') ?? '';
  return (
    <>
      <header class="head">
        <h1>Clients</h1>
        <NewClient />
      </header>
      <div class="tools">
        <Search label="Name or id" />
      </div>
      <List
        caption="Clients"
        columns={columns}
        keyOf={({ id }) => id}
        changes={[search, organization]}
        load={(cursor) =>
          answerOf(
            api.GET('/operator/clients', {
              params: {
                query: {
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(search === '' ? {} : { search }),
                  ...(organization === '' ? {} : { organization_id: organization }),
                },
              },
            }),
          )
        }
        empty={
          search === ''
            ? 'There is no client yet. Create one: a program needs it to get tokens.'
            : 'No client has this name or id.'
        }
      />
    </>
  );
}

function NewClient() {
  return (
    <Act
      name="Create a client"
      description="A program gets tokens as this client. A confidential one gets a secret, which is shown once."
      act={async (form) => {
        const text = (name: string) => String(form.get(name) ?? '').trim();
        const redirects = text('redirect_uris').split(/\s+/).filter(Boolean);
        const made = await answerOf(
          api.POST('/operator/clients', {
            body: {
              organization_id: text('organization_id'),
              name: text('name'),
              kind: text('kind') as Client['kind'],
              scopes: scopesIn(form),
              ...(redirects.length > 0 ? { redirect_uris: redirects } : {}),
            },
          }),
        );
        return (
          <>
            <p>
              The client is <Id>{made.id}</Id>.{' '}
              <a href={hrefOf(`/clients/${made.id}`)} onClick={() => go(`/clients/${made.id}`)}>
                Open it
              </a>
            </p>
            {made.client_secret && <Secret label="Its secret." value={made.client_secret} />}
          </>
        );
      }}
    >
      <Field name="name" label="Name" hint="Users see it on the consent page." isRequired />
      <Picker
        name="organization_id"
        label="Organization"
        kind="organization"
        value={query.value.get('organization') ?? ''}
      />
      <label class="field">
        Kind
        <select name="kind">
          <option value="confidential">confidential: keeps a secret</option>
          <option value="public">public: cannot keep a secret</option>
          <option value="resource_server">resource server: introspects tokens</option>
        </select>
      </label>
      <Field
        name="redirect_uris"
        label="Redirect URIs"
        hint="Where people are sent back to, with spaces between; empty for a program without people."
      />
      <ScopeChoice />
    </Act>
  );
}
