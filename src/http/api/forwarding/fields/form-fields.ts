import { boundaryIn } from './boundary-in.ts';
import { decodeText } from './pairs-in.ts';

export interface FormBytes {
  bytes: Buffer;
  contentType: string;
}

/** A form without the fields of these names, also where they have brackets. All other bytes stay as they are. */
export function withoutFields({ bytes, contentType }: FormBytes, names: ReadonlySet<string>): Buffer {
  const isGone = (name: string): boolean => names.has(name) || names.has(name.split('[', 1)[0] ?? '');
  if (!/^\s*multipart\//i.test(contentType)) {
    const pairs = bytes.toString().split('&');
    return Buffer.from(pairs.filter((pair) => !isGone(decodeText(pair.split('=', 1)[0] ?? ''))).join('&'));
  }
  const starts = partStarts(bytes, `--${boundaryIn(contentType)}`);
  const parts = starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
  const kept = parts.filter((part) => !isGone(nameOf(part) ?? ''));
  return Buffer.concat([bytes.subarray(0, starts[0] ?? 0), ...kept]);
}

/** Where each part begins with its delimiter, and the end of all of them. */
function partStarts(bytes: Buffer, delimiter: string): number[] {
  const starts: number[] = [];
  const first = bytes.indexOf(delimiter);
  for (let at = first; at >= 0; at = bytes.indexOf(`\r\n${delimiter}`, at)) {
    if (starts.length > 0) at += '\r\n'.length;
    starts.push(at);
  }
  return starts;
}

function nameOf(part: Buffer): string | undefined {
  const end = part.indexOf('\r\n\r\n');
  const head = part.toString('utf8', 0, Math.max(end, 0));
  return /^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"/im.exec(head)?.[1];
}
