import type { ComponentChildren } from 'preact';

/** Text as it is. Where it is wider than the page, it scrolls. */
export function Pre({ children }: { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
    <pre class="scrolls" tabIndex={0}>
      {children}
    </pre>
  );
}
