import { build, type Schema } from 'fast-json-stringify';

type Serializer = (body: unknown) => string;

const made = new Map<string, Serializer>();

/**
 * Writes what has this schema as JSON. Most schemas are the same in all versions, and all are in both environments: each
 * is compiled once per process, which was a third of the time that a start takes.
 */
export function serializerOf(schema: unknown): Serializer {
  const key = JSON.stringify(schema);
  const known = made.get(key) ?? compile(schema as Schema);
  made.set(key, known);
  return known;
}

function compile(schema: Schema): Serializer {
  const whole = build(schema);
  const [name, constants] = distinction(schema) ?? [];
  if (name === undefined || constants === undefined) return whole;
  const branches = new Map([...constants].map(([constant, branch]) => [constant, build(branch)]));
  return (body) => (branches.get((body as Record<string, unknown>)[name]) ?? whole)(body);
}

/**
 * The member whose constant says which of its branches an `anyOf` takes, such as `active` of an introspection. The library would
 * validate a body against one branch after the other instead.
 */
function distinction(schema: Schema): [string, Map<unknown, Schema>] | null {
  const { anyOf: branches = [] } = schema as { anyOf?: ObjectSchema[] };
  for (const name of branches[0]?.required ?? []) {
    const byConstant = new Map(
      branches
        .filter(({ type, required }) => type === 'object' && required?.includes(name))
        .map((branch) => [branch.properties?.[name]?.const, branch as Schema]),
    );
    if (!byConstant.has(undefined) && byConstant.size === branches.length) return [name, byConstant];
  }
  return null;
}

interface ObjectSchema {
  type?: string;
  required?: string[];
  properties?: Record<string, { const?: unknown }>;
}
