import { Time } from './time.tsx';

interface LastFailureProps {
  failure: { at: string; message: string } | null;
}

/** Why something failed last, and when. */
export function LastFailure({ failure }: LastFailureProps) {
  if (!failure) return <>none</>;
  return (
    <>
      {failure.message}
      <span class="hint">
        <Time at={failure.at} />
      </span>
    </>
  );
}
