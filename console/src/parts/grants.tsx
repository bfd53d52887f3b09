import { useSignal } from '@preact/signals';
import { answerOf, api, type ItemOf } from '../api.ts';
import { Act, ReasonField, reasonIn } from './act.tsx';
import { List } from './list.tsx';
import { Named, NamedOrganizations } from './named.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

type Grant = ItemOf<'/operator/users/{id}/grants'>;

/** The live grants of a user or a client. */
export function Grants({ of }: { of: { clientId: string } | { userId: string } }) {
  const round = useSignal(0);
  const columns: readonly Column<Grant>[] = [
    'clientId' in of
      ? {
          name: 'User',
          isText: true,
          shows: ({ user_id: id, user_name: name }) => (
            <Named kind="user" id={id} name={name} none="the client itself" />
          ),
        }
      : {
          name: 'Client',
          isText: true,
          shows: ({ client_id: id, client_name: name }) => <Named kind="client" id={id} name={name} />,
        },
    { name: 'Scopes', isText: true, shows: ({ scopes }) => scopes.join(' ') },
    {
      name: 'Organizations',
      isText: true,
      shows: ({ organization_ids: ids, organization_names: names }) => (
        <NamedOrganizations ids={ids} names={names} />
      ),
    },
    { name: 'Since', shows: ({ created_at }) => <Time at={created_at} /> },
    { name: 'Until', shows: ({ expires_at }) => <Time at={expires_at} /> },
    {
      name: '',
      shows: ({ id, client_name }) => (
        <Act
          name="Revoke"
          isDangerous
          description={`All tokens of this grant of ${client_name} stop working at once, and never work again.`}
          act={async (form) => {
            await answerOf(
              api.POST('/operator/grants/{id}/revoke', { params: { path: { id } }, body: reasonIn(form) }),
            );
            round.value += 1;
          }}
        >
          <ReasonField />
        </Act>
      ),
    },
  ];
  const load = (cursor: string | undefined) => {
    const query = cursor === undefined ? {} : { cursor };
    return 'clientId' in of
      ? answerOf(api.GET('/operator/clients/{id}/grants', { params: { path: { id: of.clientId }, query } }))
      : answerOf(api.GET('/operator/users/{id}/grants', { params: { path: { id: of.userId }, query } }));
  };
  return (
    <List
      caption="Live grants"
      columns={columns}
      keyOf={({ id }) => id}
      load={load}
      changes={[JSON.stringify(of), round.value]}
      empty="There are no live grants."
    />
  );
}
