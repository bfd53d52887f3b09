import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { answerOf, api } from '../api.ts';
import { type Choice, Choices, choiceId, movedBy } from './choices.tsx';

interface PickerProps {
  /** The name of the field, whose value is the id of what was chosen. */
  name: string;
  label: string;
  kind: 'organization' | 'user';
  /** The id of what is chosen at first. */
  value?: string;
}

const WAIT_MS = 200;
const LENGTH_MIN = 2;

const prefixes = { organization: 'org', user: 'usr' } as const;

/** An organization or a user, chosen by name. An id may be pasted, too. */
export function Picker({ name, label, kind, value = '' }: PickerProps) {
  const { text, id, found, changed, choose } = usePicked(kind, value);
  const active = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const choices = found.value ?? [];

  useEffect(() => {
    input.current?.setCustomValidity(id.value === '' ? `Choose the ${kind} from the list.` : '');
  });
  useEffect(() => {
    const form = input.current?.form;
    const startOver = () => changed(value);
    form?.addEventListener('reset', startOver);
    return () => form?.removeEventListener('reset', startOver);
  }, []);

  function pressed(event: KeyboardEvent): void {
    const moved = movedBy(event.key, active.value, choices.length);
    const chosen = event.key === 'Enter' ? choices[active.value] : undefined;
    if (moved !== null) active.value = moved;
    else if (chosen) choose(chosen);
    else if (event.key === 'Escape' && choices.length > 0) found.value = null;
    else return;
    // Neither is the form sent, nor its dialog closed.
    event.preventDefault();
  }

  return (
    <div class="field picker">
      <label>
        {label}
        <span class="hint">Type the beginning of its name, or paste its id.</span>
        <input
          ref={input}
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={choices.length > 0 ? choiceId(list, active.value) : undefined}
          required
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            active.value = 0;
            changed(event.currentTarget.value);
          }}
          onKeyDown={pressed}
        />
      </label>
      <input type="hidden" name={name} value={id.value} />
      <div class="search-results" hidden={found.value === null}>
        <Choices list={list} label={label} choices={choices} active={active.value} onChoose={choose} />
        <p role="status">{found.value?.length === 0 ? 'None has this name.' : null}</p>
      </div>
      {id.value !== '' && id.value !== text.value && <code class="id">{id.value}</code>}
    </div>
  );
}

function usePicked(kind: PickerProps['kind'], first: string) {
  const text = useSignal(first);
  const id = useSignal(first);
  const found = useSignal<Choice[] | null>(null);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const newest = useRef(0);

  function choose({ key, name }: Choice): void {
    newest.current += 1;
    [id.value, text.value, found.value] = [key, name, null];
  }

  function changed(value: string): void {
    clearTimeout(waiting.current);
    newest.current += 1;
    const isId = new RegExp(`^${prefixes[kind]}_\\w+$`).test(value.trim());
    [text.value, id.value, found.value] = [value, isId ? value.trim() : '', null];
    if (value.trim().length >= LENGTH_MIN)
      waiting.current = setTimeout(() => void search(value.trim()), WAIT_MS);
  }

  /** What cannot be searched for is refused when the form is sent. */
  async function search(asked: string): Promise<void> {
    const round = newest.current;
    const { items } = await answerOf(api.POST('/operator/search', { body: { text: asked } })).catch(() => ({
      items: [],
    }));
    if (round !== newest.current) return;
    const choices = items
      .filter((item) => item.kind === kind)
      .map((item) => ({ key: item.id, name: item.name, detail: `${item.detail} · ${item.id}` }));
    const [only] = choices;
    if (only && only.key === asked) choose(only);
    else found.value = choices;
  }

  useEffect(() => {
    if (first !== '') void search(first);
  }, []);
  return { text, id, found, changed, choose };
}
