import { useSignal } from '@preact/signals';
import { Copy } from './copy.tsx';
import { indented } from './indented.ts';
import { Pre } from './pre.tsx';

interface BodyTextProps {
  text: string;
  /** What it is, for the buttons. */
  what: string;
}

/** A body as it was sent or came back: JSON with indents, as it is on demand. What is copied is what was sent. */
export function BodyText({ text, what }: BodyTextProps) {
  const isRaw = useSignal(false);
  const pretty = indented(text);
  return (
    <div class="body-text">
      <p class="buttons">
        {pretty !== null && pretty !== text && (
          <button
            type="button"
            aria-pressed={isRaw.value}
            aria-label={`Raw form of ${what}`}
            onClick={() => {
              isRaw.value = !isRaw.value;
            }}
          >
            Raw
          </button>
        )}
        <Copy value={text} what={what} />
      </p>
      <Pre>{isRaw.value || pretty === null ? text : pretty}</Pre>
    </div>
  );
}
