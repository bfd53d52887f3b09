import { declaredBody, isJsonType, type Operation, type Validate, validator } from '@dateline/versions';
import { isObject } from '../json-in.ts';

const validators = new WeakMap<object, Validate>();

/** The same answer with the parameters of the path in the members of their names, as far as its schema allows. */
export function echoParams(
  operation: Operation,
  { status, value, params }: { status: number; value: unknown; params: Readonly<Record<string, string>> },
): unknown {
  const body = declaredBody(operation, status);
  if (!isObject(value) || !body || !isJsonType(body.mediaType)) return value;
  const fits = validators.get(body) ?? validator(body.schema);
  validators.set(body, fits);
  let echoed: Readonly<Record<string, unknown>> = value;
  for (const [name, text] of Object.entries(params)) {
    if (!Object.hasOwn(value, name)) continue;
    const given = typeof value[name] === 'number' ? Number(text) : text;
    const tried = { ...echoed, [name]: given };
    if (fits(tried).length === 0) echoed = tried;
  }
  return echoed;
}
