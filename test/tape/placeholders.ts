/** Names for values that differ at every play, so that two plays can be compared. */
export interface Placeholders {
  /** From here on the value is written as `{{name}}`, unless it has a name already. */
  name(name: string, value: string): void;
  /** A name that requests may use; answers keep the value. */
  give(name: string, value: string): void;
  /** Replaces names by their values, everywhere. */
  fill<Value>(value: Value): Value;
  /** Replaces values by their names: the same value has the same name in the whole play. */
  mask(value: unknown): unknown;
}

// An id or a secret: its prefix, and at least 22 random characters.
const MADE_UP = /\b([a-z]+(?:_[a-z]+)*)_[0-9A-Za-z+/]{22,}=*/g;
// Derived from a random value.
const DIGEST = /\b[0-9a-f]{64}\b/g;
// Times in the format of the API. One in any other format is not masked, and so is seen.
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const NEAR_MS = 400 * 86_400_000;

/** Times are written relative to the start of the play; those that are far from it were not made by it. */
export function createPlaceholders(startedAt: Date): Placeholders {
  const values = new Map<string, string>();
  const names = new Map<string, string>();
  const counts = new Map<string, number>();

  function name(newName: string, value: string): void {
    values.set(newName, value);
    if (!names.has(value)) names.set(value, newName);
  }

  function nameMadeUp(value: string, prefix: string): string {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    name(`${prefix} ${count}`, value);
    return `{{${prefix} ${count}}}`;
  }

  function maskText(text: string): string {
    const named = [...names].reduce((known, [value, given]) => known.replaceAll(value, `{{${given}}}`), text);
    return named
      .replaceAll(MADE_UP, (value, prefix: string) => nameMadeUp(value, prefix))
      .replaceAll(DIGEST, (value) => nameMadeUp(value, 'sha256'))
      .replaceAll(TIME, (time) => maskTime(Date.parse(time)) ?? time);
  }

  function maskTime(ms: number): string | null {
    const offsetMs = ms - startedAt.getTime();
    if (!(Math.abs(offsetMs) < NEAR_MS)) return null;
    return `{{start${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs) / 1000}s}}`;
  }

  /** Seconds since 1970, the format of OAuth. */
  function maskNumber(value: number): unknown {
    const time = maskTime(value * 1000);
    return time === null ? value : `${time} in seconds`;
  }

  function valueNamed(given: string): string {
    const value = values.get(given);
    if (value === undefined) throw new Error(`nothing before it has saved {{${given}}}`);
    return value;
  }

  return {
    name,
    give: (given, value) => void values.set(given, value),
    fill: (value) =>
      mapTexts(value, (text) =>
        text.replaceAll(/\{\{([^}]+)\}\}/g, (_whole, given: string) => valueNamed(given)),
      ),
    mask: (value) => mapTexts(value, maskText, maskNumber),
  };
}

/** A copy of a plain value with its texts, and its numbers, replaced. */
function mapTexts<Value>(
  value: Value,
  onText: (text: string) => string,
  onNumber: (value: number) => unknown = (same) => same,
): Value {
  const map = (part: unknown): unknown => {
    if (typeof part === 'string') return onText(part);
    if (typeof part === 'number') return onNumber(part);
    if (Array.isArray(part)) return part.map(map);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, map(item)]));
  };
  return map(value) as Value;
}
