import type { ComponentChildren } from 'preact';
import { hrefOf } from '../router.ts';
import { Id } from './facts.tsx';

const places = {
  client: '/clients',
  organization: '/people/organizations',
  user: '/people/users',
  endpoint: '/webhooks/endpoints',
  event: '/webhooks/events',
} as const;

interface NamedProps {
  kind: keyof typeof places;
  id: string | null | undefined;
  /** Null: it was deleted, or its name is not stored. */
  name: string | null | undefined;
  /** Shown where there is no id. */
  none?: string;
}

/** A thing by its name, which leads to it, with its id below in small letters; one without a name by its id. */
export function Named({ kind, id, name, none = 'none' }: NamedProps) {
  if (!id) return <>{none}</>;
  const href = hrefOf(`${places[kind]}/${id}`);
  if (!name)
    return (
      <a href={href}>
        <Id>{id}</Id>
      </a>
    );
  return (
    <Titled id={id}>
      <a href={href}>{name}</a>
    </Titled>
  );
}

/** Any title with an id below it. */
export function Titled({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <span class="named">
      {children} <Id>{id}</Id>
    </span>
  );
}

/** Organizations side by side in a list, whose names are in the same order as their ids. */
export function NamedOrganizations({
  ids,
  names,
}: {
  ids: readonly string[];
  names: readonly (string | null)[];
}) {
  if (ids.length === 0) return <>none</>;
  return (
    <>
      {ids.map((id, index) => (
        <Named key={id} kind="organization" id={id} name={names[index]} />
      ))}
    </>
  );
}

interface ActorProps {
  actor_type: string | null;
  actor_id: string | null;
  actor_name: string | null;
}

/** Who did something: the kind of actor, its name and its id. */
export function Actor({ actor_type: type, actor_id: id, actor_name: name }: ActorProps) {
  if (type === null) return <>not known</>;
  if (id === null) return <>{type}</>;
  if (type === 'client' || type === 'user')
    return (
      <>
        {type} <Named kind={type} id={id} name={name} />
      </>
    );
  return (
    <Titled id={id}>
      {type} {name}
    </Titled>
  );
}
