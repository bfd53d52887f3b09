/** What becomes of a part that is not in the folder as it was in the document. */
export type NoteKind = 'decide' | 'left out' | 'changed';

/** One entry of `IMPORT.md`. */
export interface ImportNote {
  kind: NoteKind;
  /** Where it stands in the document that was imported. */
  at: SourcePlace;
  /** A sentence, without the full stop at its end. */
  reason: string;
}

/** A place in the document that is imported. */
export interface SourcePlace {
  /** Relative to the folder of the document; the document itself is `ENTRY`. */
  file: string;
  /** A JSON pointer. */
  pointer: string;
}

/** The name that the document has in `contract/`, whatever it was called before. */
export const ENTRY = 'next.yaml';

/** A place as it is shown: a pointer, after the name of its file where that is not the document itself. */
export function placeText({ file, pointer }: SourcePlace): string {
  return file === ENTRY ? pointer || '/' : `${file}#${pointer}`;
}

export interface ImportNotes {
  add(kind: NoteKind, at: SourcePlace, reason: string): void;
  /** Each of them once, in the order in which they came up. */
  all(): readonly ImportNote[];
}

export function createNotes(): ImportNotes {
  const notes = new Map<string, ImportNote>();
  return {
    add(kind, at, reason) {
      const key = JSON.stringify([kind, placeText(at), reason]);
      if (!notes.has(key)) notes.set(key, { kind, at, reason });
    },
    all: () => [...notes.values()],
  };
}
