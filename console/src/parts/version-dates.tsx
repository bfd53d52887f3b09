import type { BodyOf } from '../api.ts';
import { hrefOf } from '../router.ts';
import type { VersionState } from '../version-states.ts';
import { DAY_MS, type UsageSeries } from './usage-series.ts';

type Plan = Pick<BodyOf<'/operator/release'>, 'versions' | 'planned_at' | 'target'>;
type LastRelease = Pick<BodyOf<'/operator/release/broken'>, 'since' | 'removed_version'>;

interface VersionDatesProps {
  plan: Plan;
  last: LastRelease;
  /** The days up to today. */
  series: UsageSeries;
}

/** The versions through the last release, today and the coming one, and their requests below, by the same dates. */
export function VersionDates({ plan, last, series }: VersionDatesProps) {
  const scale = scaleOf(series.days, plan.planned_at);
  const rows = rowsOf(plan, last, scale);
  const plotTop = TOP + rows.length * ROW + GAP;
  const height = plotTop + PLOT + FOOT;
  return (
    <figure class="dates">
      <svg height={height} role="img" aria-label={sentenceOf(plan, series)}>
        <Months scale={scale} bottom={plotTop + PLOT} />
        {rows.map((row, index) => (
          <Bars key={row.version} row={row} top={TOP + index * ROW} scale={scale} />
        ))}
        <Lines series={series} top={plotTop} scale={scale} />
        <Mark at={scale.today} text="today" kind="today" height={plotTop + PLOT} scale={scale} />
        {scale.release !== null && (
          <Mark
            at={scale.release}
            text={`${plan.target} is Current`}
            kind="release"
            height={plotTop + PLOT}
            scale={scale}
          />
        )}
      </svg>
      <Legend plan={plan} series={series} />
    </figure>
  );
}

const [TOP, ROW, BAR, GAP, PLOT, FOOT] = [24, 30, 24, 14, 150, 22];

interface Scale {
  from: number;
  to: number;
  today: number;
  /** Null where none is planned, or it is too far away to be drawn. */
  release: number | null;
}

/** How far ahead a release is drawn. */
const AHEAD_MS = 184 * DAY_MS;
/** Enough room behind the release for the words about what is then. */
const BEHIND = 0.34;

function scaleOf(days: readonly string[], plannedAt: string | null): Scale {
  const from = Date.parse(days[0] ?? '');
  const today = Date.parse(days.at(-1) ?? '') + DAY_MS / 2;
  const planned = plannedAt === null ? null : Date.parse(plannedAt);
  const release = planned !== null && planned < today + AHEAD_MS ? Math.max(planned, today) : null;
  const last = release ?? today;
  return { from, today, release, to: last + (last - from) * BEHIND };
}

const shareOf = ({ from, to }: Scale, time: number): number => (100 * (time - from)) / (to - from);
const xOf = (scale: Scale, time: number): string => `${shareOf(scale, time).toFixed(3)}%`;

interface Row {
  version: string;
  bars: readonly { state: VersionState; from: number; to: number }[];
  /** Its state today; null for one that is gone, or is to come. */
  now: VersionState | null;
  /** When that began. */
  since: number;
  /** Its state after the coming release, or `removed`; empty where that is not drawn. */
  after: string;
}

/** The states of versions before the last release, by those that it gave them. */
const BEFORE = { deprecated: 'current', current: 'next', next: null } as const;

function rowsOf({ versions }: Plan, last: LastRelease, { from, to, release }: Scale): Row[] {
  const released = last.since === null ? from : Math.max(from, Date.parse(last.since));
  const coming = release ?? to;
  const served = versions.map(({ version, state, becomes }): Row => {
    const before = state && BEFORE[state];
    return {
      version,
      now: state,
      since: state === null ? coming : released,
      after: release === null ? '' : becomes,
      bars: [
        ...(before && released > from ? [{ state: before, from, to: released }] : []),
        ...(state ? [{ state, from: released, to: coming }] : []),
        ...(becomes !== 'removed' && release !== null ? [{ state: becomes, from: coming, to }] : []),
      ],
    };
  });
  const shown = served.filter(({ bars }) => bars.length > 0);
  if (released === from) return shown;
  const gone = { state: 'deprecated', from, to: released } as const;
  return [{ version: last.removed_version, now: null, since: released, after: '', bars: [gone] }, ...shown];
}

function Bars({ row, top, scale }: { row: Row; top: number; scale: Scale }) {
  const { version, bars, now, since, after } = row;
  const middle = top + BAR / 2;
  const isToCome = now === null && after !== '';
  return (
    <g>
      {bars.map(({ state, from, to }) => (
        <rect
          key={from}
          class={state}
          x={xOf(scale, from)}
          y={top}
          width={`${(shareOf(scale, to) - shareOf(scale, from)).toFixed(3)}%`}
          height={BAR}
        />
      ))}
      <text
        class={now ?? 'aside'}
        x={xOf(scale, since)}
        y={middle}
        dx={isToCome ? -8 : 8}
        text-anchor={isToCome ? 'end' : 'start'}
      >
        <tspan class="version">{version}</tspan> {now ?? (isToCome ? '' : 'removed')}
      </text>
      {after !== '' && (
        <text class={after === 'removed' ? 'aside' : after} x="100%" y={middle} dx={-8} text-anchor="end">
          {after}
        </text>
      )}
    </g>
  );
}

interface MarkProps {
  at: number;
  text: string;
  kind: 'today' | 'release';
  height: number;
  scale: Scale;
}

/** A day that runs through both drawings. */
function Mark({ at, text, kind, height, scale }: MarkProps) {
  const x = xOf(scale, at);
  return (
    <g class={`mark ${kind}`}>
      <line x1={x} x2={x} y1={TOP - 6} y2={height} />
      <text x={x} y={TOP - 12} text-anchor={shareOf(scale, at) > 60 ? 'end' : 'middle'}>
        {text}
      </text>
    </g>
  );
}

const MONTH = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function Months({ scale, bottom }: { scale: Scale; bottom: number }) {
  return (
    <g class="months">
      <line x1="0" x2="100%" y1={bottom} y2={bottom} />
      {monthsIn(scale).map((month) => (
        <g key={month}>
          <line x1={xOf(scale, month)} x2={xOf(scale, month)} y1={bottom} y2={bottom + 5} />
          <text x={xOf(scale, month)} y={bottom + 14} text-anchor="middle">
            {MONTH.format(month)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** The first days of months, where there is room for their names. */
function monthsIn(scale: Scale): number[] {
  const months: number[] = [];
  const first = new Date(scale.from);
  for (let month = first.getUTCMonth(); ; month += 1) {
    const at = Date.UTC(first.getUTCFullYear(), month, 1);
    if (at > scale.to) return months;
    if (shareOf(scale, at) > 5 && shareOf(scale, at) < 95) months.push(at);
  }
}

/** Stretched to the width of the drawing; strokes are not. */
function Lines({ series, top, scale }: { series: UsageSeries; top: number; scale: Scale }) {
  const most = roundUp(Math.max(2, ...series.counts.flat()));
  const pointsOf = (counts: readonly number[]): string[] =>
    counts.map((count, index) => {
      const noon = Date.parse(series.days[index] ?? '') + DAY_MS / 2;
      return `${shareOf(scale, noon).toFixed(3)} ${(100 - (100 * count) / most).toFixed(2)}`;
    });
  return (
    <>
      {[most, most / 2].map((level) => {
        const y = top + PLOT * (1 - level / most);
        return (
          <g class="level" key={level}>
            <line x1="0" x2="100%" y1={y} y2={y} />
            <text x="100%" dx={-4} y={y + 9} text-anchor="end">
              {COMPACT.format(level)} {level === most && 'a day'}
            </text>
          </g>
        );
      })}
      <svg
        aria-hidden="true"
        y={top}
        width="100%"
        height={PLOT}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
      >
        {series.counts.map((counts, index) => (
          <path
            key={series.versions[index]}
            class={series.colours[index]?.slice(2)}
            d={`M${pointsOf(counts).join('L')}h0`}
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
    </>
  );
}

const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** To a figure whose half is short, too. */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  return power * ([1, 2, 3, 4, 6, 8].find((one) => one * power >= count) ?? 10);
}

/** Who uses a version is one click away. */
function Legend({ plan, series }: { plan: Plan; series: UsageSeries }) {
  const states = new Map(plan.versions.flatMap(({ version, state }) => (state ? [[version, state]] : [])));
  const versions = [...new Set([...states.keys(), ...series.versions])].sort();
  return (
    <figcaption>
      <ul class="legend">
        <li class="hint">Requests, {series.days.length} days</li>
        {versions.map((version) => (
          <li key={version} class={states.get(version) ?? 'soft-ink'}>
            {version === 'none' ? 'not served' : <a href={hrefOf(`/usage?version=${version}`)}>{version}</a>}{' '}
            {sumOf(series.counts[series.versions.indexOf(version)]).toLocaleString()}
          </li>
        ))}
      </ul>
    </figcaption>
  );
}

const sumOf = (counts: readonly number[] = []): number => counts.reduce((sum, count) => sum + count, 0);

/** The drawing, for whoever cannot see it. */
function sentenceOf({ versions, planned_at: at, target }: Plan, series: UsageSeries): string {
  const states = versions.flatMap(({ version, state }) => (state ? [`${version} is ${state}`] : []));
  const release = at === null ? 'no release is planned' : `${target} becomes Current on ${at.slice(0, 10)}`;
  return `Versions: ${states.join(', ')}; ${release}. Requests by version, ${series.days.length} days.`;
}
