import { useEffect, useRef } from 'preact/hooks';
import { answerOf, api } from '../api.ts';
import { versionStates } from '../version-states.ts';
import { Shown, useLoaded } from './loading.tsx';
import { Notice } from './notice.tsx';
import { Table } from './table.tsx';
import { seriesOf, type UsageSeries } from './usage-series.ts';

interface UsagePlotProps {
  days: number;
  clientId?: string;
}

interface Row {
  day: string;
  index: number;
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

function Plot({ series }: { series: UsageSeries }) {
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
