import type { ComponentChildren } from 'preact';

/** Names and what they are. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Longer than any id of ours: what a caller has sent may be broken anywhere. */
const OWN_LENGTH_MAX = 32;

/** An id, in letters of one width. */
export function Id({ children }: { children: string }) {
  return <code class={children.length > OWN_LENGTH_MAX ? 'id foreign' : 'id'}>{children}</code>;
}
