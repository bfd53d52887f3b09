import { computed, effect } from '@preact/signals';
import { path } from './router.ts';

const { environment = 'sandbox', otherConsole = '' } =
  document.querySelector<HTMLElement>('#console')?.dataset ?? {};

export const isProduction = environment === 'production';

/** The other environment, and the same page of its console. Ids are of one environment: the page of one thing leads to the list. */
export const otherName = isProduction ? 'sandbox' : 'production';
export const otherHref = computed(() =>
  otherConsole === '' ? null : `${addressOf(otherConsole)}/console${listAt(path.value)}`,
);

/** A port is that of this host, by whatever name it was reached. */
function addressOf(place: string): string {
  return place.startsWith(':') ? `${location.protocol}//${location.hostname}${place}` : place;
}

function listAt(at: string): string {
  const [, screen = '', part] = at.split('/');
  if (screen === '') return '';
  return part === 'users' ? '/people?view=users' : `/${screen}`;
}

const plainTitle = document.title;

/** So that a tab, a bookmark and a picture say where they are from. */
export function nameTab(nameOf: () => string | undefined): void {
  effect(() => {
    const name = nameOf();
    document.title = name === undefined ? plainTitle : `${name} · ${plainTitle}`;
  });
}
