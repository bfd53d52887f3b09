import { type Bar, barChart } from './bar-chart.ts';
import { type BenchResult, isTooNoisy, type Measured, type Ratio } from './harness.ts';

/** One bench as it was last run, and where. */
export interface PublishedResult extends BenchResult {
  date: string;
  node: string;
  cores: number;
}

/** What `docs/speed.md` says of the last runs, and the charts that it shows, by their names in `docs/speed/`. */
export function speedFigures(results: readonly PublishedResult[]): {
  markdown: string;
  charts: Map<string, string>;
} {
  const compared = results.filter(({ ratios }) => ratios.length > 0);
  return {
    markdown: compared.map(section).join('\n\n'),
    charts: new Map(compared.map((result) => [`${result.name}.svg`, chartOf(result)])),
  };
}

function section(result: PublishedResult): string {
  const {
    name,
    description,
    rounds,
    ratios,
    p99Ms = [],
    mainThreads = [],
    mainThreadUs = [],
    figures = [],
    date,
    node,
    cores,
  } = result;
  const rows = [
    ...ratios.map((ratio) => row(`${ratio.of}, to ${ratio.to}`, ratio, 2)),
    ...mainThreads.map((ratio) => row(`time of the main thread: ${ratio.of}, to ${ratio.to}`, ratio, 2)),
    ...p99Ms.map((latency) => row(`99 of 100 answers within, in ms: ${latency.contender}`, latency, 1)),
    ...mainThreadUs.map((time) =>
      row(`microseconds of the main thread for each: ${time.contender}`, time, 0),
    ),
    ...figures.map((figure) => row(figure.what, figure, 1)),
  ];
  return [
    `### ${name}`,
    `![Operations a second of each contender](speed/${name}.svg)`,
    `${upperFirst(description)}: \`npm run bench -- ${name}\`.`,
    ['| what | median | least and most |', '|---|---|---|', ...rows].join('\n'),
    `${rounds} rounds on ${date}, Node ${node}, ${cores} cores.${noiseOf([...ratios, ...mainThreads])}`,
  ].join('\n\n');
}

function row(what: string, { median, least, most }: Measured, digits: number): string {
  return `| ${what} | ${median.toFixed(digits)} | ${least.toFixed(digits)} to ${most.toFixed(digits)} |`;
}

function noiseOf(ratios: readonly Ratio[]): string {
  const noisy = ratios.filter(isTooNoisy).map(({ of, to }) => `“${of}, to ${to}”`);
  return noisy.length === 0
    ? ''
    : ` **The machine was too noisy to conclude anything from ${noisy.join(' and ')}.**`;
}

function chartOf({ name, perSecond }: PublishedResult): string {
  const bars: Bar[] = perSecond.map(({ contender, median, least, most }) => ({
    label: contender,
    ...{ value: median, from: least, to: most },
  }));
  return barChart(`Operations a second: ${name}`, bars);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
