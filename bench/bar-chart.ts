export interface Bar {
  label: string;
  value: number;
  /** The line through the end of the bar: the least and the most that was measured. */
  from: number;
  to: number;
}

const WIDTH = 720;
const ROW = 44;
const TOP = 12;
const VALUE_WIDTH = 80;

// An image in a page knows the reader's preference, and nothing else of the page.
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .bar { fill: #4269d0; }
  .range { stroke: #1f2328; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .bar { fill: #6e9bff; }
    .range { stroke: #e6edf3; }
  }`;

/** Horizontal bars with their labels above them, as an SVG that can stand alone. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ to }) => to));
  const scale = (value: number): number => Math.round((value / most) * (WIDTH - VALUE_WIDTH));
  const height = TOP + bars.length * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    ...bars.map((bar, index) => rowOf(bar, TOP + index * ROW, scale)),
    '</svg>\n',
  ].join('\n');
}

function rowOf({ label, value, from, to }: Bar, top: number, scale: (value: number) => number): string {
  const middle = top + 26;
  return [
    `<text x="0" y="${top + 12}">${escaped(label)}</text>`,
    `<rect class="bar" x="0" y="${top + 18}" width="${scale(value)}" height="16"/>`,
    `<line class="range" x1="${scale(from)}" y1="${middle}" x2="${scale(to)}" y2="${middle}"/>`,
    `<text x="${scale(to) + 8}" y="${top + 31}">${Math.round(value).toLocaleString('en')}</text>`,
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
