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

/** An id, in letters of one width. */
export function Id({ children }: { children: string }) {
  return <code class="id">{children}</code>;
}
