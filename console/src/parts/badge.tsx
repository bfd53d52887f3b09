export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'current' | 'next' | 'deprecated';

/** One word about a state. The word says it; the colour only helps. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
