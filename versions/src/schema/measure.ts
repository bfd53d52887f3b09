export interface Measure {
  /** The number of values, each counted wherever it stands. */
  values: number;
  /** The depth to which they are nested. */
  levels: number;
}

const measured = new WeakMap<object, Measure>();

/** The size of a plain value if it is written down. What stands in many places is looked at once. */
export function measure(value: unknown): Measure {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 };
  const known = measured.get(value) ?? measureInside(value);
  measured.set(value, known);
  return known;
}

function measureInside(value: object): Measure {
  const inside = Object.values(value).map(measure);
  return {
    values: inside.reduce((sum, { values }) => sum + values, 1),
    levels: inside.reduce((most, { levels }) => Math.max(most, levels), 0) + 1,
  };
}
