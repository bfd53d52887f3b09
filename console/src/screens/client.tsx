import { answerOf, api, type BodyOf } from '../api.ts';
import { Act, Field, ReasonField, reasonIn, Secret } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopiedId } from '../parts/copy.tsx';
import { Facts, Id } from '../parts/facts.tsx';
import { FailureGroups } from '../parts/failure-groups.tsx';
import { Grants } from '../parts/grants.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { ScopeChoice, scopesIn } from '../parts/scope-choice.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { UsagePlot } from '../parts/usage-plot.tsx';
import { go, hrefOf } from '../router.ts';

type Client = BodyOf<'/operator/clients/{id}'>;

export function ClientScreen({ id }: { id: string }) {
  const params = { path: { id } };
  const { state, reload } = useLoaded(() => answerOf(api.GET('/operator/clients/{id}', { params })), [id]);
  return (
    <Shown state={state}>
      {(client) => (
        <>
          <header class="head">
            <h1>
              {client.name}{' '}
              {client.disabled_at ? <Badge tone="bad">disabled</Badge> : <Badge tone="good">enabled</Badge>}
            </h1>
            <Actions client={client} onChange={() => void reload()} />
          </header>
          <Facts
            items={[
              ['Id', <CopiedId>{client.id}</CopiedId>],
              ['Kind', client.kind],
              [
                'Organization',
                <Named kind="organization" id={client.organization_id} name={client.organization_name} />,
              ],
              ['Created', <Time at={client.created_at} />],
              ['Grant types', client.grant_types.join(', ') || 'none'],
              ['Scopes', client.scopes.join(' ') || 'none'],
              ['Redirect URIs', client.redirect_uris.join(' ') || 'none'],
              ['PKCE', client.require_pkce ? 'required' : 'not required'],
            ]}
          />
          <h2>Secrets</h2>
          <Secrets client={client} onChange={() => void reload()} />
          <h2>Its versions by day</h2>
          <UsagePlot clientId={id} days={30} />
          <h2>What failed in the last 7 days</h2>
          <FailureGroups filters={{ client_id: id }} />
          <h2>Live grants</h2>
          <Grants of={{ clientId: id }} />
          <p>
            <a href={hrefOf(`/audit?client_id=${id}`)}>Audit log of this client</a>
          </p>
        </>
      )}
    </Shown>
  );
}

interface ActionProps {
  client: Client;
  onChange(): void;
}

function Actions({ client, onChange }: ActionProps) {
  const params = { path: { id: client.id } };
  return (
    <p class="buttons">
      <Act
        name="Edit"
        description="The public details of this client."
        act={async (form) => {
          const redirects = String(form.get('redirect_uris')).split(/\s+/).filter(Boolean);
          const name = String(form.get('name')).trim();
          await answerOf(
            api.PATCH('/operator/clients/{id}', {
              params,
              body: { name, redirect_uris: redirects, scopes: scopesIn(form) },
            }),
          );
          onChange();
        }}
      >
        <Field name="name" label="Name" value={client.name} isRequired />
        <Field name="redirect_uris" label="Redirect URIs" value={client.redirect_uris.join(' ')} />
        <ScopeChoice chosen={client.scopes} />
      </Act>
      {client.disabled_at ? (
        <Act
          name="Enable"
          description="Its tokens that have not expired work again, and it gets new ones."
          act={async () => {
            await answerOf(api.POST('/operator/clients/{id}/enable', { params }));
            onChange();
          }}
        />
      ) : (
        <Act
          name="Disable"
          isDangerous
          isForSupport
          description="All of its tokens stop working at once, and it gets no new ones, until it is enabled again."
          act={async (form) => {
            await answerOf(api.POST('/operator/clients/{id}/disable', { params, body: reasonIn(form) }));
            onChange();
          }}
        >
          <ReasonField />
        </Act>
      )}
      <Act
        name="Delete"
        isDangerous
        forGood={client.name}
        description="The client is deleted, with its secrets and all of its tokens. To stop it for a time, disable it."
        act={async () => {
          await answerOf(api.DELETE('/operator/clients/{id}', { params }));
          go('/clients');
        }}
      />
    </p>
  );
}

function Secrets({ client, onChange }: ActionProps) {
  const params = { path: { id: client.id } };
  if (client.kind === 'public') return <p>A public client has none.</p>;
  return (
    <>
      <Table
        caption="Live secrets"
        rows={client.secrets}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Id', shows: ({ id }) => <Id>{id}</Id> },
          { name: 'Made', shows: ({ created_at }) => <Time at={created_at} /> },
          { name: 'Last used', shows: ({ last_used_at }) => <Time at={last_used_at} none="never" /> },
          {
            name: '',
            shows: ({ id }) => (
              <Act
                name="Revoke"
                isDangerous
                forGood={client.name}
                description={`The secret ${id} is refused from now on. ${client.secrets.length === 1 ? 'It is the only one: the client gets no tokens until it has another.' : 'Programs that still use it get no tokens.'}`}
                act={async () => {
                  await answerOf(
                    api.POST('/operator/clients/{id}/secrets/{secret_id}/revoke', {
                      params: { path: { id: client.id, secret_id: id } },
                    }),
                  );
                  onChange();
                }}
              />
            ),
          },
        ]}
      />
      <Act
        name="Rotate the secret"
        description="A new secret is made and shown once. The previous one stays live until you revoke it; of three, the oldest is revoked."
        onDone={onChange}
        act={async () => {
          const rotated = await answerOf(api.POST('/operator/clients/{id}/rotate-secret', { params }));
          return <Secret label="The new secret." value={rotated.client_secret} />;
        }}
      />
    </>
  );
}
