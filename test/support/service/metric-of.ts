/** The sum of a node's metric over all series with these labels. Throws if the node does not show it. */
export async function metricOf(
  url: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const series = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)));
  if (series.length === 0) throw new Error(`no metric ${name} with ${wanted.join(', ')}`);
  return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
