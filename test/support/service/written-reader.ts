import type { Session } from '../../../src/storage/database.ts';

interface Leases {
  standby_leases: { node_id: string; standby: string; renewal: string; shown: string };
}

const NODE = 'nod_written_by_hand';

/**
 * A node that reads from a standby, as far as ends of access see of it: its row, written by hand. It has shown nothing until it is
 * told to.
 */
export function writtenReader(
  session: () => Promise<Pick<Session, 'tables'>>,
  { standby = 'postgres://standby', waits }: { standby?: string; waits(): Promise<number> | number },
) {
  let renewal = 0;
  const leases = async () => (await session()).tables<Leases>();
  const isIts = { node_id: NODE, standby };

  /** Raises the renewal, of which nothing is shown yet. */
  async function renew(): Promise<void> {
    renewal += 10;
    const raised = { renewal: String(renewal) };
    const tables = await leases();
    await tables
      .insertInto('standby_leases')
      .values({ ...isIts, ...raised, shown: '0' })
      .onConflict((conflict) => conflict.columns(['node_id', 'standby']).doUpdateSet(raised))
      .execute();
  }

  /** The standby has shown one renewal more, usually: whoever has seen the last one need not wait any longer. */
  async function show(more = 1): Promise<void> {
    const shown = String(renewal + more);
    const changed = (await leases()).updateTable('standby_leases').set({ shown });
    const { numUpdatedRows } = await changed
      .where('node_id', '=', NODE)
      .where('standby', '=', standby)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new Error('the row of the reader is gone');
  }

  async function leave(): Promise<void> {
    await (await leases()).deleteFrom('standby_leases').where('standby', '=', standby).execute();
  }

  async function hasRow(): Promise<boolean> {
    const rows = (await leases()).selectFrom('standby_leases').selectAll().where('standby', '=', standby);
    return (await rows.execute()).length > 0;
  }

  /** Begins what must wait for the reader, and returns once a wait has begun. Throws if it is over by then. */
  async function begun<Result>(work: () => Promise<Result>): Promise<Promise<Result>[]> {
    const before = await waits();
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    working.catch(() => {});
    while (!isOver && (await waits()) === before) await hasRow();
    // An answer that is on its way has arrived after another round trip.
    await hasRow();
    await waits();
    if (!isOver) return [working];
    throw new Error(`it was over before the reader had shown anything: ${JSON.stringify(await working)}`);
  }

  return {
    renew,
    show,
    leave,
    hasRow,
    begun,
    /** The result of what waits until the reader has shown that it knows. Throws if it does not. */
    async heldBack<Result>(work: () => Promise<Result>): Promise<Result> {
      await renew();
      const [working] = await begun(work);
      await show();
      return working as Promise<Result>;
    },
    /** The result of what waits for nobody. Throws if it does. */
    async notHeldBack<Result>(work: () => Promise<Result>): Promise<Result> {
      await renew();
      const before = await waits();
      const result = await work();
      if ((await waits()) === before) return result;
      throw new Error(`it has waited for the reader: ${JSON.stringify(result)}`);
    },
  };
}
