import { endOfString } from '../../../../kernel/json-text.ts';

/**
 * The JSON without the members at these places (JSON pointers). All the rest stays as it is written: numbers keep their digits. The
 * text has been parsed before, so it is JSON.
 */
export function withoutJsonMembers(text: string, pointers: readonly string[]): string {
  const gone = new Set(pointers);
  // Only what is on the way to one of them is looked into.
  const onTheWay = new Set(pointers.flatMap((pointer) => prefixesOf(pointer)));
  let at = 0;

  function skipSpace(): void {
    while (' \t\r\n'.includes(text[at] ?? '-')) at += 1;
  }

  function skipString(): void {
    at = endOfString(text, at) + 1;
  }

  /** A value that nothing is taken from. */
  function skipValue(): void {
    let open = 0;
    do {
      const sign = text[at];
      if (sign === '"') skipString();
      else {
        if (sign === '{' || sign === '[') open += 1;
        if (sign === '}' || sign === ']') open -= 1;
        at += 1;
      }
    } while (at < text.length && (open > 0 || !',}]'.includes(text[at] ?? ',')));
  }

  function copyValue(path: string): string {
    skipSpace();
    const start = at;
    const sign = text[at];
    if (onTheWay.has(path) && (sign === '{' || sign === '[')) return copyParts(path, sign === '{');
    skipValue();
    return text.slice(start, at);
  }

  function copyParts(path: string, isObject: boolean): string {
    const parts: string[] = [];
    const end = isObject ? '}' : ']';
    at += 1;
    for (let index = 0; ; index += 1) {
      skipSpace();
      if (text[at] === end) break;
      const name = isObject ? copyName() : { text: '', key: String(index) };
      const pointer = `${path}/${name.key}`;
      const value = copyValue(pointer);
      if (!gone.has(pointer)) parts.push(name.text + value);
      skipSpace();
      if (text[at] === ',') at += 1;
    }
    at += 1;
    return `${isObject ? '{' : '['}${parts.join(',')}${end}`;
  }

  function copyName(): { text: string; key: string } {
    const start = at;
    skipString();
    const name: string = JSON.parse(text.slice(start, at));
    skipSpace();
    at += 1;
    return { text: text.slice(start, at), key: name.replaceAll('~', '~0').replaceAll('/', '~1') };
  }

  return copyValue('');
}

function prefixesOf(pointer: string): string[] {
  const keys = pointer.split('/');
  return keys.slice(1).map((_key, index) => keys.slice(0, index + 1).join('/'));
}
