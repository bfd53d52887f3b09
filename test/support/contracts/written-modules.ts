import {
  type ApiSource,
  type Change,
  expandChanges,
  fromOpenApi,
  type WrittenChange,
} from '@dateline/versions';
import { apiSource } from '../../../src/contracts/api.ts';
import { changeSets } from '../../../src/contracts/changes/index.ts';

/** A change of ours as it is written, and with its own code, as if it were alone. */
export interface WrittenModule {
  set: ApiSource['changeSets'][number];
  written: WrittenChange;
  change: Change;
  name: string;
  /** The place of its step. */
  index: number;
}

export function writtenModules(): WrittenModule[] {
  const source = apiSource();
  const contracts = source.documents.map(source.read ?? fromOpenApi);
  return source.changeSets.flatMap((set, index) => {
    const [older, newer] = [contracts[index], contracts[index + 1]];
    if (!older || !newer) throw new Error(`${set.newer} has two contracts`);
    const all = changeSets.find((one) => one.newer === set.newer)?.changes ?? [];
    return all.map((written) => {
      const { changes } = expandChanges({ ...set, changes: [written] }, older, newer).changeSet;
      const change = wholeChange(changes);
      return { set, written, change, name: change.name, index };
    });
  });
}

/** One change of itself and its code, which stands beside it. */
function wholeChange(changes: readonly Change[]): Change {
  const own = changes.find(({ codeOf }) => codeOf === undefined);
  if (!own) throw new Error('a written change is one change');
  const code = changes.filter(({ codeOf }) => codeOf !== undefined);
  const { upgradeRequest, downgradeResponse, downgradeEvent } = Object.assign({}, ...code) as Partial<Change>;
  return {
    ...own,
    ...(upgradeRequest && { upgradeRequest }),
    ...(downgradeResponse && { downgradeResponse }),
    ...(downgradeEvent && { downgradeEvent: { ...own.downgradeEvent, ...downgradeEvent } }),
  };
}
