import { answerOf, api, type ItemOf } from '../api.ts';
import { Act, Field, Secret } from '../parts/act.tsx';
import { Badge } from '../parts/badge.tsx';
import { Id } from '../parts/facts.tsx';
import { List, Search } from '../parts/list.tsx';
import { Named } from '../parts/named.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { go, hrefOf, query } from '../router.ts';

type Organization = ItemOf<'/operator/organizations'>;
type User = ItemOf<'/operator/users'>;

const organizationColumns: readonly Column<Organization>[] = [
  { name: 'Name', isText: true, shows: ({ id, name }) => <Named kind="organization" id={id} name={name} /> },
  {
    name: 'State',
    shows: ({ suspended_at }) =>
      suspended_at ? <Badge tone="bad">suspended</Badge> : <Badge tone="good">active</Badge>,
  },
  { name: 'Created', shows: ({ created_at }) => <Time at={created_at} /> },
];

const userColumns: readonly Column<User>[] = [
  { name: 'Name', isText: true, shows: ({ id, name }) => <Named kind="user" id={id} name={name} /> },
  { name: 'E-mail', isText: true, shows: ({ email }) => email },
  {
    name: 'State',
    shows: ({ blocked_at }) =>
      blocked_at ? <Badge tone="bad">blocked</Badge> : <Badge tone="good">active</Badge>,
  },
  { name: 'Created', shows: ({ created_at }) => <Time at={created_at} /> },
];

export function PeopleScreen() {
  const isUsers = query.value.get('view') === 'users';
  const search = query.value.get('search') ?? '';
  const listQuery = (cursor: string | undefined) => ({
    ...(cursor === undefined ? {} : { cursor }),
    ...(search === '' ? {} : { search }),
  });
  return (
    <>
      <header class="head">
        <h1>Organizations and people</h1>
        {isUsers ? <NewUser /> : <NewOrganization />}
      </header>
      <p class="tabs">
        <a href={hrefOf('/people')} aria-current={isUsers ? undefined : 'page'}>
          Organizations
        </a>
        <a href={hrefOf('/people?view=users')} aria-current={isUsers ? 'page' : undefined}>
          People
        </a>
      </p>
      <div class="tools">
        <Search label={isUsers ? 'Name, e-mail or id' : 'Name or id'} />
      </div>
      {isUsers ? (
        <List
          caption="People"
          columns={userColumns}
          keyOf={({ id }) => id}
          changes={['users', search]}
          load={(cursor) => answerOf(api.GET('/operator/users', { params: { query: listQuery(cursor) } }))}
          empty="No user matches."
        />
      ) : (
        <List
          caption="Organizations"
          columns={organizationColumns}
          keyOf={({ id }) => id}
          changes={['organizations', search]}
          load={(cursor) =>
            answerOf(api.GET('/operator/organizations', { params: { query: listQuery(cursor) } }))
          }
          empty="No organization matches. Create one: clients and people belong to it."
        />
      )}
    </>
  );
}

function NewUser() {
  return (
    <Act
      name="Create a user"
      description="The user sets a password by a link, which you send to them. It is shown once."
      act={async (form) => {
        const text = (name: string) => String(form.get(name)).trim();
        const { id } = await answerOf(
          api.POST('/operator/users', {
            body: { name: text('name'), email: text('email'), password: randomPassword() },
          }),
        );
        const { url } = await answerOf(
          api.POST('/operator/users/{id}/password-link', { params: { path: { id } } }),
        );
        return (
          <>
            <p>
              The user is <Id>{id}</Id>. <a href={hrefOf(`/people/users/${id}`)}>Open it</a>
            </p>
            <Secret label="The link." value={url} />
          </>
        );
      }}
    >
      <Field name="name" label="Name" isRequired />
      <Field name="email" label="E-mail" type="email" isRequired />
    </Act>
  );
}

/** Nobody ever sees it: the link replaces it. */
function randomPassword(): string {
  return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16)).join('');
}

function NewOrganization() {
  return (
    <Act
      name="Create an organization"
      description="Clients, people and webhook endpoints belong to it."
      act={async (form) => {
        const { id } = await answerOf(
          api.POST('/operator/organizations', { body: { name: String(form.get('name')).trim() } }),
        );
        go(`/people/organizations/${id}`);
      }}
    >
      <Field name="name" label="Name" isRequired />
    </Act>
  );
}
