import { computed, signal } from '@preact/signals';

const BASE = '/console';

/** Where the operator is: the address in the browser, so that a link to it can be sent to a colleague. */
const address = signal(read());

export const path = computed(() => address.value.path);
export const query = computed(() => address.value.query);

function read(): { path: string; query: URLSearchParams } {
  const { pathname, search } = location;
  return { path: pathname.slice(BASE.length) || '/', query: new URLSearchParams(search) };
}

export const hrefOf = (to: string): string => BASE + to;

/**
 * The URL of a public page: on this origin, or at the address that the page names if operators have a port of their
 * own.
 */
export const publicHref = (to: string): string =>
  (document.querySelector<HTMLElement>('#console')?.dataset.publicUrl ?? '') + to;

export function go(to: string): void {
  history.pushState(null, '', hrefOf(to));
  address.value = read();
  // As after loading a page: whoever listens hears where they are.
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}

/** Changes what is shown in the same view: filters and searches. Empty ones are left out. */
export function setQuery(change: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', withQuery(change));
  address.value = read();
}

/** The address of the same view with other filters. */
export function withQuery(change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(change)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return hrefOf(path.value === '/' ? '' : path.value) + (text === '' ? '' : `?${text}`);
}

/** Links of the console change the view; all others, and those for a new tab, are the browser's. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = read();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    const href = link?.getAttribute('href') ?? '';
    if (!href.startsWith(`${BASE}/`) && href !== BASE) return;
    if (link?.hasAttribute('download') || link?.getAttribute('target')) return;
    event.preventDefault();
    go(href.slice(BASE.length) || '/');
  });
}

/** The parts of a path by a pattern such as `/clients/:id`; null where it does not match. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}
