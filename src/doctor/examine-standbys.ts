import type { StandbyLink } from '../standbys/standby-link.ts';
import type { Finding } from './finding.ts';

type Examined = Pick<StandbyLink, 'name' | 'state'>;

/** The standbys that this node is to read tokens from; nothing where the settings name none. */
export function examineStandbys(links: readonly Examined[]): Finding[] {
  if (links.length === 0) return [];
  const check = 'standbys';
  const unread = links.flatMap(({ name, state }) => {
    const { problem } = state();
    return problem === null ? [] : [`${name} (${problem})`];
  });
  if (unread.length === 0)
    return [{ check, state: 'ok', message: `Tokens are read from ${links.map(inShort).join(', ')}.` }];
  const message = `Tokens are not read from ${unread.join(', ')}: the primary answers instead. See that the standby runs and keeps up, or correct DATABASE_READ_URLS.`;
  return [{ check, state: 'warning', message }];
}

function inShort({ name, state }: Examined): string {
  const { lagMs } = state();
  return lagMs === null ? name : `${name} (${Math.round(lagMs)} ms behind)`;
}
