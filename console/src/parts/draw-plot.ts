import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { UsageSeries } from './usage-series.ts';

/** Draws lines into an element, as wide as it is, in the colours of the page; answers with what removes them. */
export function drawPlot(element: HTMLElement, drawn: UsageSeries): () => void {
  let plot = createPlot(element, drawn);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const drawAnew = (): void => {
    plot.destroy();
    plot = createPlot(element, drawn);
  };
  dark.addEventListener('change', drawAnew);
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  watch.observe(element);
  return () => {
    dark.removeEventListener('change', drawAnew);
    watch.disconnect();
    plot.destroy();
  };
}

const HEIGHT = 260;

function createPlot(element: HTMLElement, drawn: UsageSeries): UPlot {
  const styles = getComputedStyle(element);
  const colourOf = (name: string): string => styles.getPropertyValue(name).trim() || '#888';
  const ink = colourOf('--soft-ink');
  const axis = { stroke: ink, grid: { stroke: colourOf('--line'), width: 1 } };
  return new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      // Days are days in UTC, wherever the browser is.
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      axes: [axis, { ...axis, size: 60 }],
      series: [
        { label: 'Day', value: '{YYYY}-{MM}-{DD}' },
        ...drawn.versions.map((label, index) => ({
          label,
          stroke: colourOf(drawn.colours[index] ?? ''),
          width: 2,
          points: { show: drawn.days.length < 60 },
        })),
      ],
    },
    [
      drawn.days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000),
      ...drawn.counts.map((counts) => [...counts]),
    ],
    element,
  );
}
