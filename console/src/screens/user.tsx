import { answerOf, api } from '../api.ts';
import { Act, Secret } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopiedId } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Grants } from '../parts/grants.tsx';
import { Shown, useLoaded } from '../parts/loading.tsx';
import { NamedOrganizations } from '../parts/named.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { hrefOf } from '../router.ts';

export function UserScreen({ id }: { id: string }) {
  const params = { path: { id } };
  const { state, reload } = useLoaded(async () => {
    const user = await answerOf(api.GET('/operator/users/{id}', { params }));
    const sessions = await answerOf(api.GET('/operator/users/{id}/sessions', { params }));
    return { user, sessions: sessions.items };
  }, [id]);
  const again = () => void reload();
  return (
    <Shown state={state}>
      {({ user, sessions }) => (
        <>
          <header class="head">
            <h1>
              {user.name}{' '}
              {user.blocked_at ? <Badge tone="bad">blocked</Badge> : <Badge tone="good">active</Badge>}
            </h1>
            <p class="buttons">
              <Act
                name="Make a link to set a password"
                description="Anyone who has the link can set the password, once. Send it to the user."
                act={async () => {
                  const { url } = await answerOf(api.POST('/operator/users/{id}/password-link', { params }));
                  return <Secret label="The link." value={url} />;
                }}
              />
              {user.blocked_at ? (
                <Act
                  name="Unblock"
                  description="The user may sign in, and tokens that have not expired work again."
                  act={async () => {
                    await answerOf(api.POST('/operator/users/{id}/unblock', { params }));
                    again();
                  }}
                />
              ) : (
                <Act
                  name="Block"
                  isDangerous
                  description="The user is signed out, and all their tokens stop working at once."
                  act={async () => {
                    await answerOf(api.POST('/operator/users/{id}/block', { params }));
                    again();
                  }}
                />
              )}
            </p>
          </header>
          <Facts
            items={[
              ['Id', <CopiedId>{user.id}</CopiedId>],
              ['E-mail', user.email],
              ['Created', <Time at={user.created_at} />],
              [
                'Organizations',
                <NamedOrganizations
                  ids={user.organizations.map((one) => one.id)}
                  names={user.organizations.map((one) => one.name)}
                />,
              ],
              ['Audit', <a href={hrefOf(`/audit?user_id=${id}`)}>audit log</a>],
            ]}
          />
          <header class="head">
            <h2>Signed in</h2>
            {sessions.length > 0 && (
              <Act
                name="Sign out everywhere"
                isDangerous
                description="The user has to sign in again in every browser. Tokens stay valid."
                act={async () => {
                  await answerOf(api.DELETE('/operator/users/{id}/sessions', { params }));
                  again();
                }}
              />
            )}
          </header>
          {sessions.length === 0 ? (
            <Notice kind="empty">No live session.</Notice>
          ) : (
            <Table
              caption="Sessions"
              rows={sessions}
              keyOf={(session) => JSON.stringify(session)}
              columns={[
                { name: 'Since', shows: ({ signed_in_at }) => <Time at={signed_in_at} /> },
                { name: 'Last used', shows: ({ last_used_at }) => <Time at={last_used_at} /> },
                { name: 'Until', shows: ({ expires_at }) => <Time at={expires_at} /> },
              ]}
            />
          )}
          <h2>Live grants</h2>
          <Grants of={{ userId: id }} />
        </>
      )}
    </Shown>
  );
}
