/**
 * The headers that change modules have made, as they can be sent: without those that have no value. Throws where one cannot be the
 * value of a header (RFC 9110 §5.5). Modules are JavaScript, so values may be anything.
 */
export function sendableHeaders(made: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(made))
    if (value !== undefined && value !== null) headers[name] = sendable(name, value);
  return headers;
}

function sendable(name: string, value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  // Not the value itself: it may be somebody's secret, and this is logged.
  if (!isText || NEVER_IN_VALUES.test(String(value)))
    throw new TypeError(`the header ${name} cannot have its value`);
  return String(value);
}

const NEVER_IN_VALUES = /[^\t\x20-\x7e\x80-\xff]/;
