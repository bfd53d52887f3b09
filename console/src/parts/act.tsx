import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { ApiProblem } from '../api.ts';
import { isSupport, mayChange } from '../session.ts';
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
  isForSupport = false,
  onDone,
}: ActProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const state = useSignal<'asking' | 'working' | 'done'>('asking');
  const problem = useSignal<string | null>(null);
  const told = useSignal<ComponentChildren>(null);
  if (!mayChange.value && !(isForSupport && isSupport.value)) return null;

  function open(): void {
    [state.value, problem.value, told.value] = ['asking', null, null];
    dialog.current?.showModal();
  }

  function close(): void {
    dialog.current?.close();
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
      <dialog ref={dialog} aria-labelledby={title} onClose={close}>
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
            {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
            <p class="buttons">
              <button
                type="submit"
                class={isDangerous ? 'danger' : 'main'}
                disabled={state.value === 'working'}
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
        autocomplete="off"
      />
    </label>
  );
}

/** Why something is done. Support must say it. */
export function ReasonField() {
  return <Field name="reason" label="Reason" hint="For the audit log." isRequired={isSupport.value} />;
}

/** The body of a request with a reason, where one was given. */
export function reasonIn(form: FormData): { reason?: string } {
  const reason = String(form.get('reason') ?? '').trim();
  return reason === '' ? {} : { reason };
}

/** A secret, shown once: it can be copied, and is in no address and no storage. */
export function Secret({ label, value }: { label: string; value: string }) {
  const copied = useSignal(false);
  return (
    <div class="secret">
      <p>{label} It is shown now, and never again.</p>
      <code>{value}</code>
      <button
        type="button"
        onClick={() => {
          void navigator.clipboard.writeText(value).then(() => {
            copied.value = true;
          });
        }}
      >
        {copied.value ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
