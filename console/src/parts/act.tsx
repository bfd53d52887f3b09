import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { ApiProblem } from '../api.ts';
import { isSupport, mayChange } from '../session.ts';
import { Copy } from './copy.tsx';
import { Notice } from './notice.tsx';

interface ActProps {
  /** The button's label. */
  name: string;
  /** Describes in full what will happen. */
  description: ComponentChildren;
  /** Does it. What it returns is shown, such as a secret that is shown once. */
  act(form: FormData): Promise<ComponentChildren> | Promise<void>;
  /** Fields to fill in. */
  children?: ComponentChildren;
  isDangerous?: boolean;
  /** The name of the thing, which has to be typed for what cannot be undone. */
  forGood?: string | undefined;
  /** What exactly cannot be undone. */
  warning?: string;
  /** Support may do it too. */
  isForSupport?: boolean;
  /** Called once it was done and its dialog is closed: what is shown may have to be read again. */
  onDone?(): void;
}

/** A button for what changes something: it says what it will do, and asks. Whoever may not press it does not see it. */
export function Act({
  name,
  description,
  act,
  children,
  isDangerous = false,
  forGood,
  warning = 'This cannot be undone.',
  isForSupport = false,
  onDone,
}: ActProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const state = useSignal<'asking' | 'working' | 'done'>('asking');
  const problem = useSignal<string | null>(null);
  const told = useSignal<ComponentChildren>(null);
  const typed = useSignal('');
  const isConfirmed = forGood === undefined || plain(typed.value) === plain(forGood);
  if (!mayChange.value && !(isForSupport && isSupport.value)) return null;

  function open(): void {
    [state.value, problem.value, told.value, typed.value] = ['asking', null, null, ''];
    dialog.current?.showModal();
  }

  function close(): void {
    dialog.current?.close();
    // What was typed may be a secret.
    dialog.current?.querySelector('form')?.reset();
    if (state.value === 'done') onDone?.();
    state.value = 'asking';
    // A secret that was shown leaves the page with its dialog.
    told.value = null;
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    state.value = 'working';
    problem.value = null;
    try {
      told.value = (await act(new FormData(event.currentTarget as HTMLFormElement))) || null;
      state.value = 'done';
      if (told.value === null) close();
    } catch (error) {
      problem.value = error instanceof ApiProblem ? error.message : String(error);
      state.value = 'asking';
    }
  }

  return (
    <>
      <button type="button" class={isDangerous ? 'danger' : undefined} onClick={open}>
        {name}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link is followed by a key, too, and that is a click. */}
      <dialog
        ref={dialog}
        aria-labelledby={title}
        onClose={close}
        onClick={(event) => {
          if ((event.target as Element).closest('a[href]')) close();
        }}
      >
        <h2 id={title}>{name}</h2>
        {state.value === 'done' ? (
          <>
            {told.value}
            <p class="buttons">
              <button type="button" onClick={close}>
                Close
              </button>
            </p>
          </>
        ) : (
          <form onSubmit={(event) => void submit(event)}>
            <p>{description}</p>
            {children}
            {forGood !== undefined && <Confirmation name={forGood} warning={warning} typed={typed} />}
            {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
            <p class="buttons">
              <button
                type="submit"
                class={isDangerous ? 'danger' : 'main'}
                disabled={state.value === 'working' || !isConfirmed}
              >
                {state.value === 'working' ? 'Working…' : name}
              </button>
              <button type="button" class="quiet" onClick={close}>
                Cancel
              </button>
            </p>
          </form>
        )}
      </dialog>
    </>
  );
}

/** Spaces that nobody sees are not asked for. */
const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

interface ConfirmationProps {
  name: string;
  warning: string;
  typed: Signal<string>;
}

function Confirmation({ name, warning, typed }: ConfirmationProps) {
  return (
    <>
      <Notice kind="warning">{warning}</Notice>
      <label class="field">
        To confirm, type <strong class="to-type">{plain(name)}</strong>
        <input
          value={typed.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
      </label>
    </>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  value?: string;
  isRequired?: boolean;
  type?: 'text' | 'email' | 'url' | 'datetime-local' | 'number';
}

export function Field({ name, label, hint, value = '', isRequired = false, type = 'text' }: FieldProps) {
  return (
    <label class="field">
      {label}
      {hint && <span class="hint">{hint}</span>}
      {/* One element for each kind would say the same five times. */}
      <input
        {...({ type } as { type: 'text' })}
        name={name}
        defaultValue={value}
        required={isRequired}
        // Blanks are no text.
        pattern={isRequired && type === 'text' ? '.*\\S.*' : undefined}
        autocomplete="off"
      />
    </label>
  );
}

/** Several lines, such as secrets: nothing keeps or corrects them. */
export function LinesField({ name, label, hint }: Pick<FieldProps, 'name' | 'label' | 'hint'>) {
  return (
    <label class="field">
      {label}
      {hint && <span class="hint">{hint}</span>}
      <textarea name={name} rows={5} required autocomplete="off" spellcheck={false} />
    </label>
  );
}

/** Why something is done: whoever looks at it later has nothing else. */
export function ReasonField() {
  return <Field name="reason" label="Reason" hint="For the audit log." isRequired />;
}

/** The body of a request with a reason. */
export function reasonIn(form: FormData): { reason: string } {
  return { reason: String(form.get('reason') ?? '').trim() };
}

/** A secret, shown once: it can be copied, and is in no address and no storage. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div class="secret">
      <p>{label} It is shown now, and never again.</p>
      <code>{value}</code>
      <Copy value={value} what="the secret" />
    </div>
  );
}
