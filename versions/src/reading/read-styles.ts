import type { StyleName, ValueStyle, ValueStyles } from '../contract/contract.ts';
import { below, type Location, namedBelow, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { isPart } from '../openapi/plain-data.ts';

export type SentIn = 'path' | 'query' | 'header';

/** The style of a parameter; null for the usual one of its place. */
export function readParameterStyle(
  reading: OpenApiReading,
  sentIn: SentIn,
  parameter: Location,
): ValueStyle | null {
  const content = below(parameter, 'content');
  const [type, ...others] = namedBelow(content);
  if (content.value !== undefined && (type === undefined || others.length > 0))
    return reading.refuse(content, 'it must name one media type');
  if (type) return { mediaType: type[0].toLowerCase() };
  return readStyle(reading, parameter, sentIn === 'query' ? IN_TEXT : ['simple']);
}

const IN_TEXT: readonly StyleName[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The styles of the fields of a form. In other bodies an encoding means nothing. */
export function readFieldStyles(
  reading: OpenApiReading,
  mediaType: string,
  encodings: Location,
): ValueStyles | null {
  if (!FORMS.includes(mediaType)) return null;
  const styles = namedBelow(encodings).flatMap(([name, location]) => {
    const style = readEncoding(reading, location);
    return style ? [[name, style] as const] : [];
  });
  return styles.length > 0 ? Object.fromEntries(styles) : null;
}

/** Where it has a style, its content type means nothing (OpenAPI 3.1 §4.8.15.1). */
function readEncoding(reading: OpenApiReading, location: Location): ValueStyle | null {
  const { value } = location;
  if (!isPart(value)) return reading.refuse(location, 'it must be an object');
  if ('style' in value || 'explode' in value) {
    const style = readStyle(reading, location, IN_TEXT);
    return style ?? { style: 'form', explode: true };
  }
  const { contentType } = value;
  if (contentType === undefined) return null;
  if (typeof contentType === 'string') return { mediaType: contentType.toLowerCase() };
  return reading.refuse(below(location, 'contentType'), 'it must be a media type');
}

/** Null for the first of those that may be, in its usual form. */
function readStyle(
  { refuse }: OpenApiReading,
  location: Location,
  possible: readonly StyleName[],
): ValueStyle | null {
  const [usual = 'form'] = possible;
  const { style: sent = usual, explode = sent === 'form' } = isPart(location.value) ? location.value : {};
  const style = possible.find((name) => name === sent);
  if (style === undefined)
    return refuse(
      below(location, 'style'),
      `it must be ${possible.join(', ').replace(/, (?=\w+$)/, ' or ')}`,
    );
  if (typeof explode !== 'boolean') return refuse(below(location, 'explode'), 'it must be true or false');
  // With a name for each item there is nothing left to delimit.
  if (explode && /Delimited$/.test(style)) return null;
  if (style === 'deepObject') return { style, explode: true };
  return style === usual && explode === (style === 'form') ? null : { style, explode };
}
