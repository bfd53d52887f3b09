import { isProduction, otherHref, otherName } from '../environment.ts';

/** Which environment this is, on every page: in production nobody should have to look for it. */
export function EnvironmentBand() {
  return (
    <aside class={isProduction ? 'band production' : 'band'} aria-label="Environment">
      <strong>{isProduction ? 'Production' : 'Sandbox'}</strong>
      <span>{isProduction ? 'What you change here reaches customers.' : 'For trying things out.'}</span>
      {otherHref.value !== null && <a href={otherHref.value}>Switch to {otherName}</a>}
    </aside>
  );
}
