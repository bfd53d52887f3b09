import type { ComponentChildren } from 'preact';
import type { BodyOf } from '../api.ts';
import { hrefOf } from '../router.ts';
import { Badge } from './badge.tsx';
import { Notice } from './notice.tsx';
import { Time } from './time.tsx';

/** Something that somebody should look at, and where it is mended. */
export interface AttentionItem {
  tone: 'bad' | 'warning';
  message: ComponentChildren;
  action?: { to: string; name: string };
}

/** The worst first; of those that are as bad, in the order in which they are given. */
export function AttentionList({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return <Notice kind="done">Nothing. All is well.</Notice>;
  const worstFirst = [
    ...items.filter(({ tone }) => tone === 'bad'),
    ...items.filter(({ tone }) => tone === 'warning'),
  ];
  return (
    <ul class="attention">
      {worstFirst.map(({ tone, message, action }, index) => (
        <li key={index} class={tone}>
          <Badge tone={tone}>{tone === 'bad' ? 'problem' : 'warning'}</Badge> {message}{' '}
          {action && <a href={hrefOf(action.to)}>{action.name}</a>}
        </li>
      ))}
    </ul>
  );
}

type Plan = BodyOf<'/operator/release'>;

export function ofPlan({
  overdue,
  obstacle,
  clients_at_risk: atRisk,
  target,
  planned_at: plannedAt,
}: Plan): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (overdue)
    items.push({
      tone: 'bad',
      message: `The release of ${target} is overdue. ${obstacle ?? ''}`,
      action: { to: '/versions', name: 'Release or schedule it' },
    });
  const breaking = atRisk.filter(({ risk }) => risk === 'version_removed').length;
  const changing = atRisk.length - breaking;
  if (atRisk.length > 0)
    items.push({
      tone: 'warning',
      message: (
        <>
          {[
            ...(breaking > 0 ? [`${counted(breaking, 'client')} will break`] : []),
            ...(changing > 0 ? [`${counted(changing, 'client')} may break`] : []),
          ].join(' and ')}{' '}
          at the release of {target}
          {plannedAt && (
            <>
              {' '}
              (<Time at={plannedAt} />)
            </>
          )}
          .
        </>
      ),
      action: { to: '/versions', name: 'Who breaks next' },
    });
  return items;
}

type Broken = BodyOf<'/operator/release/broken'>;

const NAMES_SHOWN = 3;

export function ofBroken({ version, removed_version: removed, items }: Broken): AttentionItem[] {
  if (items.length === 0) return [];
  const names = items.slice(0, NAMES_SHOWN).map(({ client_id: id, client_name: name }) => name ?? id);
  const more = items.length - names.length;
  return [
    {
      tone: 'bad',
      message: `${counted(items.length, 'client')} broke at the release of ${version}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      action: { to: `/requests?requested_version=${removed}`, name: 'Their requests' },
    },
  ];
}

type Check = BodyOf<'/operator/doctor'>['items'][number]['check'];

/** The checks whose findings are mended in the console. All messages say what to do. */
const MENDED_AT: Readonly<Partial<Record<Check, AttentionItem['action']>>> = {
  deliveries: { to: '/webhooks', name: 'Webhooks' },
  keys: { to: '/keys', name: 'Keys' },
};

export function ofDoctor(findings: BodyOf<'/operator/doctor'>['items']): AttentionItem[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, message }) => {
      const action = MENDED_AT[check];
      return { tone: state === 'problem' ? 'bad' : 'warning', message, ...(action && { action }) };
    });
}

const DUE_MANY = 100;

export function ofQueue({ due, failing, disabled }: BodyOf<'/operator/webhooks/queue'>): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (failing > 0)
    items.push({
      tone: 'bad',
      message: `Deliveries to ${counted(failing, 'webhook endpoint')} fail.`,
      action: { to: '/webhooks?condition=failing', name: 'Which, and why' },
    });
  if (disabled > 0)
    items.push({
      tone: 'warning',
      message: `${counted(disabled, 'webhook endpoint')} disabled.`,
      action: { to: '/webhooks?condition=disabled', name: 'Enable them again' },
    });
  if (due > DUE_MANY)
    items.push({
      tone: 'warning',
      message: `${counted(due, 'event')} should have been sent already.`,
      action: { to: '/webhooks?view=events', name: 'Events' },
    });
  return items;
}

type FailureGroups = BodyOf<'/operator/failed-requests/groups'>['items'];

/** Of today. */
export function ofFailures(groups: FailureGroups): AttentionItem[] {
  const failed = groups
    .filter(({ status }) => status >= 500)
    .reduce((sum, { requests }) => sum + requests, 0);
  if (failed === 0) return [];
  return [
    {
      tone: 'bad',
      message: `${counted(failed, 'request')} of today answered with 5xx.`,
      action: { to: '/requests', name: 'Which, by client and operation' },
    },
  ];
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;
