import { useSignal } from '@preact/signals';
import { Id } from './facts.tsx';

interface CopyProps {
  value: string;
  /** What is copied, in words: there may be several of these buttons. */
  what: string;
}

const TOLD_MS = 3_000;

/** Copies a text to the clipboard, and says so. */
export function Copy({ value, what }: CopyProps) {
  const told = useSignal<'Copied' | 'Not copied' | null>(null);

  async function copy(): Promise<void> {
    told.value = (await copied(value)) ? 'Copied' : 'Not copied';
    setTimeout(() => {
      told.value = null;
    }, TOLD_MS);
  }

  return (
    <span class="copy">
      <button type="button" aria-label={`${told.value ?? 'Copy'} ${what}`} onClick={() => void copy()}>
        {told.value ?? 'Copy'}
      </button>
      <span class="unseen" role="status">
        {told.value}
      </span>
    </span>
  );
}

/** Without TLS, on another machine, browsers have no clipboard for pages; the text can still be selected by hand. */
async function copied(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
}

/** An id that is likely to be needed elsewhere. */
export function CopiedId({ children }: { children: string }) {
  return (
    <span class="copied-id">
      <Id>{children}</Id> <Copy value={children} what="the id" />
    </span>
  );
}
