import { useEffect, useRef } from 'preact/hooks';
import { answerOf, api } from '../api.ts';
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
  days: string[];
  versions: string[];
  /** By version, a count for each day. */
  counts: number[][];
}

/** Requests by version and day. The same figures stand in a table, for whoever cannot see the plot. */
export function UsagePlot({ days, clientId }: UsagePlotProps) {
  const { state } = useLoaded(async () => {
    const query = { days, group: 'day,version', ...(clientId === undefined ? {} : { client: clientId }) };
    return seriesOf((await answerOf(api.GET('/operator/usage', { params: { query } }))).items);
  }, [days, clientId]);
  return (
    <Shown state={state}>
      {(series) =>
        series.days.length === 0 ? (
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

function seriesOf(items: readonly { day?: string; version?: string | null; requests: number }[]): Series {
  const days = [...new Set(items.map(({ day = '' }) => day))].sort();
  const versions = [...new Set(items.map(({ version }) => version ?? 'none'))].sort();
  const counts = versions.map((version) =>
    days.map((day) =>
      items
        .filter((item) => item.day === day && (item.version ?? 'none') === version)
        .reduce((sum, { requests }) => sum + requests, 0),
    ),
  );
  return { days, versions, counts };
}

const COLOURS = ['--deprecated', '--current', '--next', '--link', '--soft-ink'];

function Plot({ series }: { series: Series }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    let stop = (): void => {};
    // Only where a plot is shown: the first page does without it.
    void import('./draw-plot.ts').then(({ drawPlot }) => {
      if (!isGone && element.current) stop = drawPlot(element.current, series, COLOURS);
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
