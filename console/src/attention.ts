const ATTENDED_MS = 5 * 60_000;

let lastInputAtMs = performance.now();

/** Notices that somebody is there. */
export function watchAttention(): void {
  for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
    addEventListener(type, noteInput, { passive: true });
}

function noteInput(): void {
  lastInputAtMs = performance.now();
}

/** True while somebody uses the page: an unattended screen must not keep its session alive by refreshing. */
export function isAttended(): boolean {
  return !document.hidden && performance.now() - lastInputAtMs < ATTENDED_MS;
}
