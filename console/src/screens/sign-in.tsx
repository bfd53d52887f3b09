import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { signIn } from '../session.ts';

/** The first thing anybody sees. */
export function SignInScreen() {
  const problem = useSignal<string | null>(null);
  const isWorking = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  // There is nothing else to do here.
  useEffect(() => field.current?.focus(), []);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    isWorking.value = true;
    problem.value = await signIn(String(new FormData(form).get('operator_key')).trim());
    isWorking.value = false;
    form.reset();
  }

  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <h1>Sign in to the console</h1>
      <p>
        With an operator key of this environment. The first start has written one into{' '}
        <code>quickstart.json</code>; <code>npx dateline operator-key create</code> makes others.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          Operator key
          <input
            ref={field}
            name="operator_key"
            type="password"
            required
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
        <p class="buttons">
          <button type="submit" class="main" disabled={isWorking.value}>
            {isWorking.value ? 'Signing in…' : 'Sign in'}
          </button>
        </p>
      </form>
      <p class="hint">The key is exchanged for a session, and not stored in this browser.</p>
    </main>
  );
}
