import type { JsonSchema } from '@dateline/versions';

/** The properties of an object schema, by name. */
export function propertiesOf({ properties = {} }: JsonSchema): [string, JsonSchema][] {
  // Contracts are checked when they are compiled: the values under "properties" are schemas.
  return Object.entries(properties as Record<string, JsonSchema>);
}
