import { useSignal } from '@preact/signals';
import { answerOf, api } from '../api.ts';
import { Act, Field, Secret } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { Facts, Id } from '../parts/facts.tsx';
import { List } from '../parts/list.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Titled } from '../parts/named.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

type Role = 'admin' | 'viewer' | 'support' | 'publisher';

export function KeysScreen() {
  return (
    <>
      <h1>Keys</h1>
      <OperatorKeys />
      <SigningKeys />
      <SecretKey />
    </>
  );
}

function OperatorKeys() {
  const round = useSignal(0);
  return (
    <>
      <header class="head">
        <h2>Operator keys</h2>
        <Act
          name="Create an operator key"
          description="Give each operator and each program a key of its own, with the smallest role that is enough."
          onDone={() => {
            round.value += 1;
          }}
          act={async (form) => {
            const made = await answerOf(
              api.POST('/operator/operator-keys', {
                body: { name: String(form.get('name')).trim(), role: String(form.get('role')) as Role },
              }),
            );
            return <Secret label="The key." value={made.operator_key} />;
          }}
        >
          <Field name="name" label="Who or what will use it" isRequired />
          <label class="field">
            Role
            <select name="role">
              <option value="viewer">viewer: reads</option>
              <option value="support">support: reads, resends, disables with a reason</option>
              <option value="publisher">publisher: publishes events</option>
              <option value="admin">admin: everything</option>
            </select>
          </label>
        </Act>
      </header>
      <List
        caption="Operator keys"
        keyOf={({ id }) => id}
        changes={[round.value]}
        load={(cursor) =>
          answerOf(
            api.GET('/operator/operator-keys', { params: { query: cursor === undefined ? {} : { cursor } } }),
          )
        }
        columns={[
          { name: 'Name', isText: true, shows: ({ id, name }) => <Titled id={id}>{name}</Titled> },
          { name: 'Role', shows: ({ role }) => role },
          { name: 'Created', shows: ({ created_at }) => <Time at={created_at} /> },
          { name: 'Last used', shows: ({ last_used_at }) => <Time at={last_used_at} none="never" /> },
          {
            name: '',
            shows: ({ id, name, revoked_at }) =>
              revoked_at ? (
                <Badge tone="quiet">revoked</Badge>
              ) : (
                <Act
                  name="Revoke"
                  isDangerous
                  forGood={name}
                  description={`The key ${name} is refused at once, and its console sessions end.`}
                  act={async () => {
                    await answerOf(
                      api.POST('/operator/operator-keys/{id}/revoke', { params: { path: { id } } }),
                    );
                    round.value += 1;
                  }}
                />
              ),
          },
        ]}
        empty="There is only the key from the settings."
      />
    </>
  );
}

function SigningKeys() {
  const { state, reload } = useLoaded(() => answerOf(api.GET('/operator/signing-keys')), []);
  return (
    <>
      <header class="head">
        <h2>Signing keys</h2>
        <Act
          name="Rotate"
          description="A new key is published now, and signs id_tokens once every client can know it."
          act={async () => {
            await answerOf(api.POST('/operator/signing-keys/rotate', { body: {} }));
            void reload();
          }}
        />
      </header>
      <Shown state={state}>
        {({ items }) => (
          <Table
            caption="Signing keys"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Id', shows: ({ id }) => <Id>{id}</Id> },
              { name: 'Algorithm', shows: ({ algorithm }) => algorithm },
              { name: 'State', shows: ({ state: is }) => is },
              { name: 'Made', shows: ({ created_at }) => <Time at={created_at} /> },
              { name: 'Signs from', shows: ({ signs_from }) => <Time at={signs_from} /> },
            ]}
          />
        )}
      </Shown>
    </>
  );
}

function SecretKey() {
  const { state } = useLoaded(() => answerOf(api.GET('/operator/secret-key')), []);
  return (
    <>
      <h2>Secret key</h2>
      <Shown state={state}>
        {({ active_id, active_since, former_ids }) => (
          <Facts
            items={[
              ['In use', <Id>{active_id}</Id>],
              ['Since', <Time at={active_since} />],
              ['Still needed', former_ids.join(' ') || 'no other'],
              ['To change it', 'npx dateline secret-key rotate'],
            ]}
          />
        )}
      </Shown>
    </>
  );
}
