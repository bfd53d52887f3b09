import { useEffect, useRef } from 'preact/hooks';
import { answerOf, api, type BodyOf } from '../api.ts';
import { type VersionStates, versionStates } from '../version-states.ts';
import { Shown, useLoaded } from './loading.tsx';
import { Notice } from './notice.tsx';
import { Table } from './table.tsx';

interface UsagePlotProps {
  days: number;
  clientId?: string;
}

interface Row {
  day: string;
  index: number;
}

interface Series {
  /** All that were asked for, also those without a request. */
  days: string[];
  versions: string[];
  /** By version, a count for each day. */
  counts: number[][];
  /** By version, the colour that it has on all pages. */
  colours: string[];
}

/** Requests by version and day. The same figures stand in a table, for whoever cannot see the plot. */
export function UsagePlot({ days, clientId }: UsagePlotProps) {
  const { state } = useLoaded(async () => {
    const query = { days, group: 'day,version', ...(clientId === undefined ? {} : { client: clientId }) };
    const [usage, states] = await Promise.all([
      answerOf(api.GET('/operator/usage', { params: { query } })),
      versionStates(),
    ]);
    return seriesOf(usage, states);
  }, [days, clientId]);
  return (
    <Shown state={state}>
      {(series) =>
        series.versions.length === 0 ? (
          <Notice kind="empty">No request was counted in these days.</Notice>
        ) : (
          <>
            <Plot series={series} />
            <details>
              <summary>The same as a table</summary>
              <Table
                caption="Requests by day and version"
                rows={series.days.map((day, index): Row => ({ day, index }))}
                keyOf={({ day }) => day}
                columns={[
                  { name: 'Day', shows: ({ day }) => day },
                  ...series.versions.map((version, at) => ({
                    name: version,
                    isFigure: true,
                    shows: ({ index }: Row) => (series.counts[at]?.[index] ?? 0).toLocaleString(),
                  })),
                ]}
              />
            </details>
          </>
        )
      }
    </Shown>
  );
}

type Usage = BodyOf<'/operator/usage'>;

function seriesOf({ from, to, items }: Usage, states: VersionStates): Series {
  const days = daysFrom(from, to);
  const versions = [...new Set(items.map(({ version }) => version ?? 'none'))].sort();
  const counts = versions.map((version) =>
    days.map((day) =>
      items
        .filter((item) => item.day === day && (item.version ?? 'none') === version)
        .reduce((sum, { requests }) => sum + requests, 0),
    ),
  );
  const colours = versions.map((version) => `--${states.get(version) ?? 'soft-ink'}`);
  return { days, versions, counts, colours };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Every day from one to another. */
function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

function Plot({ series }: { series: Series }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    let stop = (): void => {};
    // Only where a plot is shown: the first page does without it.
    void import('./draw-plot.ts').then(({ drawPlot }) => {
      if (!isGone && element.current) stop = drawPlot(element.current, series);
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [series]);
  return (
    <div
      class="plot"
      ref={element}
      role="img"
      aria-label={`Requests by version, ${series.days.length} days`}
    />
  );
}
