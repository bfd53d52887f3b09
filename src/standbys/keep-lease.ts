import { thisMoment } from '../kernel/clock.ts';
import { errorMessage } from '../kernel/error-facts.ts';
import { createBell } from '../kernel/wait.ts';
import type { Database, Session } from '../storage/database.ts';
import type { LinkState, StandbyLink } from './standby-link.ts';
import { deleteLease, noteShown, type Reader, readPosition, renewLease } from './store.ts';
import { BEGIN_MS_MAX, READERS_CHANNEL, RENEW_EVERY_MS, SHOW_MS_MAX } from './terms.ts';

export interface LeaseOptions {
  database: Pick<Database, 'listen'> & Session;
  nodeId: string;
  standby: StandbyLink;
  /** Why this node must not read from standbys at the moment; null if it may. Asked before each renewal in its time. */
  refusal(): Promise<string | null>;
  onChange(state: LinkState): void;
}

const LAGS = 'the standby lags behind, or does not answer';

/**
 * Keeps the lease by which this node reads from a standby: see docs/decisions/0064. While it cannot be kept, the standby is not
 * read from, and its row is gone, so that nobody waits for it. Returns a function that ends it.
 */
export function keepLease({
  database,
  nodeId,
  standby,
  refusal,
  onChange,
}: LeaseOptions): () => Promise<void> {
  const reader: Reader = { nodeId, standby: standby.name };
  const bell = createBell();
  /** Numbers are used once, also those of renewals that got no answer. */
  let renewal = 0;
  let shown = 0;
  /** True also where that is not known. */
  let hasRow = false;
  let refused: string | null = null;
  let refusalAskedAt = Number.NEGATIVE_INFINITY;
  let stopping = false;

  function become(state: LinkState): void {
    const isNews = state.problem !== standby.state().problem;
    standby.become(state);
    if (isNews) onChange(state);
  }

  async function round(isAsked: boolean): Promise<void> {
    const refused = await refusedNow();
    if (refused !== null) return giveUp(refused);
    try {
      await standby.open();
    } catch (error) {
      return giveUp(errorMessage(error));
    }
    if (!hasRow && !(await keepsUp())) return giveUp(LAGS);
    await renew(isAsked);
  }

  /** Renewals that somebody asks for are many: for them, the last answer will do. */
  async function refusedNow(): Promise<string | null> {
    if (performance.now() - refusalAskedAt >= RENEW_EVERY_MS) {
      refusalAskedAt = performance.now();
      refused = await refusal();
    }
    return refused;
  }

  /** Asked before there is a row: ends of access would wait for a standby that is far behind. */
  async function keepsUp(): Promise<boolean> {
    const { position } = await readPosition(database);
    return standby.hasReplayed({ nodeId, renewal: null, position }, thisMoment(), BEGIN_MS_MAX);
  }

  async function renew(isAsked: boolean): Promise<void> {
    const sentAt = thisMoment();
    renewal += 1;
    hasRow = true;
    const mine = renewal;
    const renewedOn = await renewLease(database, { ...reader, renewal: mine, shown });
    // Not before: a commit is in the log some time before anybody sees it.
    const { position, timeline } = await readPosition(database);
    // Positions on two timelines cannot be compared: the next renewal is on the new one.
    if (renewedOn !== timeline) return;
    const returnedAt = performance.now();
    if (!(await standby.show({ nodeId, renewal: mine, position }, sentAt, SHOW_MS_MAX))) return giveUp(LAGS);
    shown = mine;
    become({ problem: null, lagMs: performance.now() - returnedAt });
    if (isAsked) await noteShown(database, reader, shown);
  }

  /** Its row goes last: until then, whoever ends access waits for it. */
  async function giveUp(problem: string): Promise<void> {
    standby.stopReading();
    // Nothing is read by now that has not shown all of them.
    shown = renewal;
    become({ problem, lagMs: null });
    if (hasRow) await deleteLease(database, reader, renewal);
    hasRow = false;
  }

  async function run(): Promise<void> {
    const unlisten = await listening();
    while (!stopping) {
      const isAsked = await rest();
      if (stopping) break;
      // The primary cannot be asked. What is held until then runs out by itself.
      await round(isAsked).catch((error) => {
        if (!standby.mayBeRead()) become({ problem: errorMessage(error), lagMs: null });
      });
    }
    await giveUp('stopped').catch(() => {});
    await unlisten();
  }

  /** Returns whether somebody asks what the standby shows. Without a row nobody waits for that. */
  async function rest(): Promise<boolean> {
    if (hasRow) return bell.wait(RENEW_EVERY_MS);
    const until = performance.now() + RENEW_EVERY_MS;
    for (let leftMs = RENEW_EVERY_MS; leftMs > 0 && !stopping; leftMs = until - performance.now())
      await bell.wait(leftMs);
    return false;
  }

  /** Without signals, renewals in their time tell what the standby has shown. */
  async function listening(): Promise<() => Promise<void>> {
    for (;;) {
      try {
        return await database.listen(READERS_CHANNEL, bell.ring);
      } catch (error) {
        become({ problem: errorMessage(error), lagMs: null });
        await bell.wait(RENEW_EVERY_MS);
        if (stopping) return async () => {};
      }
    }
  }

  const running = run();
  return async () => {
    stopping = true;
    bell.ring();
    await running;
    standby.close();
  };
}
