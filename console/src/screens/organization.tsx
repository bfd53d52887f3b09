import { useSignal } from '@preact/signals';
import { answerOf, api } from '../api.ts';
import { Act, Field } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopiedId } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { List } from '../parts/list.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { Named } from '../parts/named.tsx';
import { Picker } from '../parts/picker.tsx';
import { Time } from '../parts/time.tsx';
import { hrefOf } from '../router.ts';

export function OrganizationScreen({ id }: { id: string }) {
  const params = { path: { id } };
  const { state, reload } = useLoaded(
    () => answerOf(api.GET('/operator/organizations/{id}', { params })),
    [id],
  );
  return (
    <Shown state={state}>
      {({ name, suspended_at, created_at }) => (
        <>
          <header class="head">
            <h1>
              {name} {suspended_at ? <Badge tone="bad">suspended</Badge> : <Badge tone="good">active</Badge>}
            </h1>
            <p class="buttons">
              <Act
                name="Rename"
                description="Its webhook endpoints get an event."
                act={async (form) => {
                  const body = { name: String(form.get('name')).trim() };
                  await answerOf(api.PATCH('/operator/organizations/{id}', { params, body }));
                  void reload();
                }}
              >
                <Field name="name" label="Name" value={name} isRequired />
              </Act>
              {suspended_at ? (
                <Act
                  name="Resume"
                  description="Tokens work here again, and webhooks are sent."
                  act={async () => {
                    await answerOf(api.POST('/operator/organizations/{id}/resume', { params }));
                    void reload();
                  }}
                />
              ) : (
                <Act
                  name="Suspend"
                  isDangerous
                  description="Tokens stop working here at once, and nothing is sent to its webhook endpoints, until it is resumed."
                  act={async () => {
                    await answerOf(api.POST('/operator/organizations/{id}/suspend', { params }));
                    void reload();
                  }}
                />
              )}
            </p>
          </header>
          <Facts
            items={[
              ['Id', <CopiedId>{id}</CopiedId>],
              ['Created', <Time at={created_at} />],
              ['Clients', <a href={hrefOf(`/clients?organization=${id}`)}>its clients</a>],
              ['Audit', <a href={hrefOf(`/audit?organization_id=${id}`)}>audit log</a>],
            ]}
          />
          <Members id={id} />
        </>
      )}
    </Shown>
  );
}

function Members({ id }: { id: string }) {
  const round = useSignal(0);
  return (
    <>
      <header class="head">
        <h2>Members</h2>
        <Act
          name="Add a member"
          description="The user may act in this organization."
          act={async (form) => {
            await answerOf(
              api.POST('/operator/organizations/{id}/members', {
                params: { path: { id } },
                body: { user_id: String(form.get('user_id')).trim() },
              }),
            );
            round.value += 1;
          }}
        >
          <Picker name="user_id" label="User" kind="user" />
        </Act>
      </header>
      <List
        caption="Members"
        keyOf={({ user_id }) => user_id}
        changes={[id, round.value]}
        load={(cursor) =>
          answerOf(
            api.GET('/operator/organizations/{id}/members', {
              params: { path: { id }, query: cursor === undefined ? {} : { cursor } },
            }),
          )
        }
        columns={[
          {
            name: 'Name',
            isText: true,
            shows: ({ user_id: id, name }) => <Named kind="user" id={id} name={name} />,
          },
          { name: 'E-mail', isText: true, shows: ({ email }) => email },
          { name: 'Since', shows: ({ created_at }) => <Time at={created_at} /> },
          {
            name: '',
            shows: ({ user_id, name }) => (
              <Act
                name="Remove"
                isDangerous
                description={`${name} can no longer act in this organization.`}
                act={async () => {
                  await answerOf(
                    api.DELETE('/operator/organizations/{id}/members/{user_id}', {
                      params: { path: { id, user_id } },
                    }),
                  );
                  round.value += 1;
                }}
              />
            ),
          },
        ]}
        empty="It has no members."
      />
    </>
  );
}
