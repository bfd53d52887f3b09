import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { nameTab } from './environment.ts';
import { Notice } from './parts/notice.tsx';
import { SearchBox } from './parts/search-box.tsx';
import { ExactTimes } from './parts/time.tsx';
import { hrefOf, path } from './router.ts';
import { operator, signOut } from './session.ts';

const pages: readonly (readonly [to: string, name: string])[] = [
  ['/', 'Home'],
  ['/versions', 'Versions'],
  ['/usage', 'Usage'],
  ['/clients', 'Clients'],
  ['/tokens', 'Tokens'],
  ['/requests', 'Requests'],
  ['/webhooks', 'Webhooks'],
  ['/people', 'People'],
  ['/audit', 'Audit'],
  ['/keys', 'Keys'],
];

/** The frame around every screen. */
export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <nav class="places" aria-label="Console">
        <ul>
          {pages.map(([to, name]) => (
            <li key={to}>
              <a href={hrefOf(to)} aria-current={isAt(to) ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="top">
        <SearchBox />
        <section class="who" aria-label="Session">
          <ExactTimes />
          <span>
            Signed in as <strong>{operator.value?.name}</strong> ({operator.value?.role})
          </span>
          <SignOut />
        </section>
      </div>
      <main class="screen" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Says so where the session may still be alive: whoever leaves the machine relies on it. */
function SignOut() {
  const problem = useSignal<string | null>(null);
  const leave = async (): Promise<void> => {
    problem.value = await signOut();
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => void leave()}>
        Sign out
      </button>
      {problem.value && <Notice kind="problem">You are still signed in. {problem.value}</Notice>}
    </>
  );
}

function isAt(to: string): boolean {
  return to === '/' ? path.value === '/' : path.value === to || path.value.startsWith(`${to}/`);
}

nameTab(() => (operator.value ? pages.find(([to]) => isAt(to))?.[1] : undefined));
