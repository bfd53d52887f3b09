import type { TextShape } from '@dateline/versions';
import { ApiError } from '../../../../errors/api-error.ts';
import { jsonProblem } from '../../../../kernel/json-problem.ts';

/** As JSON has them; the digits that a number of JavaScript loses are forwarded all the same. */
const NUMBER = /^-?(?:0|[1-9]\d{0,99})(?:\.\d{1,100})?(?:[eE][+-]?\d{1,3})?$/;

/**
 * A text as what its schema takes: a number, true or false, null where nothing stands, JSON where it takes lists or objects. What
 * looks like none of these stays text, and the schema refuses it. Where text would do as well, the other thing has to fit.
 */
export function readText(shape: TextShape, text: string): unknown {
  if (shape.isAny) return text;
  const value = convertedBy(shape, text);
  if (value === undefined) return text;
  return shape.takes('string') && !shape.fits(value) ? text : value;
}

function convertedBy(shape: TextShape, text: string): unknown {
  if (shape.takes('integer', 'number') && NUMBER.test(text) && Number.isFinite(Number(text)))
    return Number(text);
  if (shape.takes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (text === '') return shape.takes('null') && !shape.takes('string') ? null : undefined;
  const isJson = (shape.takes('object') && text[0] === '{') || (shape.takes('array') && text[0] === '[');
  return isJson ? jsonOf(text) : undefined;
}

/** The JSON that a text is; undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return jsonProblem(text) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Texts that were sent by one name: a list where the schema takes one, else there is one of them. */
export function readTexts(shape: TextShape, texts: readonly string[], name: string): unknown {
  const [text = ''] = texts;
  if (!shape.takes('array')) {
    if (texts.length > 1) throw repeated(name);
    return readText(shape, text);
  }
  if (texts.length === 1 && shape.types.size > 1) {
    const value = readText(shape, text);
    if (!Array.isArray(value) && shape.fits(value)) return value;
  }
  return texts.map((item) => readText(shape.items, item));
}

export function repeated(name: string): ApiError {
  return new ApiError('validation_failed', { detail: `${name} is given more than once.` });
}
