import { keysOfPointer, pointerBelow } from './json-pointer.ts';

/** Where a reference leads: a file by its path in the folder, and a JSON pointer in it. */
export interface OpenApiReference {
  file: string;
  pointer: string;
}

/** Reads the text of a `$ref` that stands in a file. A text is the reason why it leads nowhere. */
export function readReference(text: string, from: string): OpenApiReference | string {
  const [location = '', fragment = ''] = text.split(/#(.*)/s, 2);
  const refusal = placeRefusal(location);
  if (refusal !== null) return refusal;
  const [path, pointer] = [decoded(location), decoded(fragment)];
  if (path === null || pointer === null) return 'a % in it is not followed by two hexadecimal digits';
  if (text === '') return 'it is empty';
  if (pointer !== '' && !pointer.startsWith('/'))
    return `it names the anchor "${pointer}"; write where that stands, such as #/components/schemas/Order`;
  const file = path === '' ? from : fileAt(path, from);
  return file === null ? 'it leads out of the folder' : { file, pointer };
}

/** The pointer to the component that another one leads to, or into; null where that leads elsewhere. */
export function componentAt(pointer: string): string | null {
  const [first, section, name] = keysOfPointer(pointer);
  const isComponent = first === 'components' && section !== undefined && name !== undefined;
  return isComponent ? pointerBelow('/components', section, name) : null;
}

/** True if a value of a discriminator's `mapping` is a reference; otherwise it is the name of a schema. */
export function isReferenceText(text: string): boolean {
  return /[#/]|\.(?:json|ya?ml)$/.test(text);
}

function placeRefusal(location: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(location))
    return 'it is a URL, and nothing is loaded from the network; put a copy of the file into the folder';
  if (location.startsWith('/')) return 'it is an absolute path; write it relative to this file';
  return location.includes('\\') ? 'it has a backslash; write / between folders' : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Null where the path leaves the folder. */
function fileAt(path: string, from: string): string | null {
  const kept = from.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') kept.push(step);
    else if (kept.pop() === undefined) return null;
  }
  return kept.join('/');
}
