import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ApiProblem, answerOf, api } from '../api.ts';
import type { paths } from '../generated/operator-api.ts';
import { go, hrefOf } from '../router.ts';
import { type Choice, Choices, choiceId, movedBy } from './choices.tsx';

type Found = paths['/operator/search']['post']['responses'][200]['content']['application/json'];
type Thing = Found['items'][number];
type Kind = Thing['kind'];

/** A kind in words, where one of it is shown, and the list to search in for more. */
const kinds: Readonly<Record<Kind, { name: string; to(id: string): string; list?(text: string): string }>> = {
  client: { name: 'client', to: (id) => `/clients/${id}`, list: (text) => `/clients?search=${text}` },
  organization: {
    name: 'organization',
    to: (id) => `/people/organizations/${id}`,
    list: (text) => `/people?search=${text}`,
  },
  user: {
    name: 'user',
    to: (id) => `/people/users/${id}`,
    list: (text) => `/people?view=users&search=${text}`,
  },
  webhook_endpoint: {
    name: 'endpoint',
    to: (id) => `/webhooks/endpoints/${id}`,
    list: (text) => `/webhooks?search=${text}`,
  },
  event: { name: 'event', to: (id) => `/webhooks/events/${id}` },
  token: { name: 'token', to: (id) => `/tokens?id=${id}` },
  grant: { name: 'grant', to: (id) => `/tokens?grant=${id}` },
  request: { name: 'request', to: (id) => `/requests?request_id=${encodeURIComponent(id)}` },
  operator_key: { name: 'operator key', to: () => '/keys' },
};

/** A line of the results, and where it leads. */
interface Hit extends Choice {
  to: string;
}

const WAIT_MS = 200;
const LENGTH_MIN = 2;

/** One search for everything. Its text is in no address: it may be a token. */
export function SearchBox() {
  const { text, found, problem, changed, search, open, clear } = useSearch();
  const active = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const choices = found.value === null ? [] : choicesOf(found.value, text.value.trim());
  useEffect(() => focusBySlash(() => input.current?.focus()), []);

  function pressed(event: KeyboardEvent): void {
    const moved = movedBy(event.key, active.value, choices.length);
    if (event.key === 'Escape') {
      clear();
      input.current?.blur();
    } else if (moved !== null) {
      event.preventDefault();
      active.value = moved;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const choice = choices[active.value];
      if (choice) open(choice.to);
      else void search(text.value.trim());
    }
  }

  return (
    <search
      class="search-box"
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) clear();
      }}
    >
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search everything"
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? choiceId(list, active.value) : undefined}
        placeholder="Search: id, name, address, token"
        autocomplete="off"
        spellcheck={false}
        maxLength={2000}
        value={text.value}
        onInput={(event) => {
          active.value = 0;
          changed(event.currentTarget.value);
        }}
        onKeyDown={pressed}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <div class="search-results" hidden={problem.value === null && found.value === null}>
        <Choices
          list={list}
          label="Found"
          choices={choices}
          active={active.value}
          onChoose={({ to }) => open(to)}
        />
        <p role="status">
          {problem.value ?? found.value?.notice ?? (found.value && choices.length === 0 ? NOTHING : null)}
        </p>
        {found.value?.notice && <a href={hrefOf('/tokens')}>Explain a token, or report a leak</a>}
      </div>
    </search>
  );
}

const NOTHING = 'Nothing was found.';

/** Asks a moment after the last key. What is found by its id is opened at once. */
function useSearch() {
  const text = useSignal('');
  const found = useSignal<Found | null>(null);
  const problem = useSignal<string | null>(null);
  const newest = useRef(0);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function clear(): void {
    clearTimeout(waiting.current);
    newest.current += 1;
    [text.value, found.value, problem.value] = ['', null, null];
  }

  function open(to: string): void {
    clear();
    go(to);
  }

  function changed(value: string): void {
    clear();
    text.value = value;
    waiting.current = setTimeout(() => void search(value.trim()), WAIT_MS);
  }

  async function search(asked: string): Promise<void> {
    clearTimeout(waiting.current);
    if (asked.length < LENGTH_MIN) return;
    newest.current += 1;
    const round = newest.current;
    try {
      const answer = await answerOf(api.POST('/operator/search', { body: { text: asked } }));
      if (round !== newest.current) return;
      const [only] = answer.items;
      if (only?.by === 'id') return open(kinds[only.kind].to(only.id));
      // The words about a secret stay; the secret does not.
      if (answer.notice !== null) text.value = '';
      found.value = answer;
    } catch (error) {
      if (round === newest.current)
        problem.value = error instanceof ApiProblem ? error.message : String(error);
    }
  }

  return { text, found, problem, changed, search, open, clear };
}

function choicesOf({ items, more }: Found, text: string): Hit[] {
  return items.flatMap(({ kind, id, name, detail }, index): Hit[] => {
    const { name: kindName, to, list } = kinds[kind];
    const one = { key: id, to: to(id), kind: kindName, name, detail: `${detail} · ${id}` };
    const isLast = items[index + 1]?.kind !== kind;
    if (!isLast || !list || !more.includes(kind)) return [one];
    const all = list(encodeURIComponent(text));
    return [one, { key: kind, to: all, kind: kindName, name: 'Show all', detail: `that have “${text}”` }];
  });
}

/** As elsewhere on the web: it takes the focus where no text is typed, and no dialog is open. */
function focusBySlash(focus: () => void): () => void {
  function pressed(event: KeyboardEvent): void {
    const at = event.target as Element | null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (at?.closest?.('input, textarea, select, dialog[open]')) return;
    event.preventDefault();
    focus();
  }
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}
