import type { ChangeKind } from '../contract/change.ts';
import type { EventChange, FieldChange, OperationChange } from './written-change.ts';

/** The words of a change that its author has left out. */
export interface DerivedWords {
  name: string;
  kind: ChangeKind;
  summary: string;
  upgradeNote: string;
}

export function fieldWords({ subject, field, edit }: FieldChange): DerivedWords {
  const name = field.join('.');
  const thing = calledBy(subject);
  const [of, has] = thing === null ? ['', ''] : [` of ${thing}`, `${thing}: `];
  switch (edit.kind) {
    case 'added':
      return {
        name: identifier('add', name, 'to', thing),
        kind: 'added',
        summary: `${has}the field ${name} is new.`,
        upgradeNote: `Nothing to do, unless you want to use ${name}.`,
      };
    case 'removed':
      return {
        name: identifier('remove', name, 'from', thing),
        kind: 'removed',
        summary: `${has}the field ${name} is gone.`,
        upgradeNote: `Neither send nor read ${name}.`,
      };
    case 'required':
      return {
        name: identifier('require', name, 'of', thing),
        kind: 'changed',
        summary: `${has}the field ${name} is required.`,
        upgradeNote: `Always send ${name}.`,
      };
    case 'optional':
      return {
        name: identifier('let', name, 'be', 'left', 'out', 'of', thing),
        kind: 'changed',
        summary: `${has}the field ${name} may be left out.`,
        upgradeNote: `Expect answers without ${name}.`,
      };
    case 'moved': {
      const from = edit.from.join('.');
      return {
        name: identifier('rename', from, 'to', name, 'of', thing),
        kind: 'changed',
        summary: `${has}the field ${name} was called ${from}.`,
        upgradeNote: `Send and read ${name} where you used ${from}.`,
      };
    }
    case 'changed':
      return {
        name: identifier('change', name, 'of', thing),
        kind: 'changed',
        summary: `${has}the field ${name} has other values.`,
        upgradeNote: `Check what you send and read as ${name}${of}.`,
      };
    case 'values': {
      const pairs = Object.entries(edit.older).map(([newer, older]) => `${newer} was ${older}`);
      return {
        name: identifier('change', 'values', 'of', name, 'of', thing),
        kind: 'changed',
        summary: `${has}the field ${name} has other values: ${pairs.join(', ')}.`,
        upgradeNote: `Replace the values of ${name}: ${pairs.join(', ')}.`,
      };
    }
    default:
      return edit satisfies never;
  }
}

/** Null for objects at several places. */
function calledBy(subject: FieldChange['subject']): string | null {
  if ('schema' in subject) return subject.schema;
  const [place, ...others] = subject.places;
  if (place === undefined || others.length > 0 || place.includes('**')) return null;
  return place.replace(/\.query$/, '');
}

/** `called` is its method and path, as integrators know it. */
export function operationWords({ operation, edit }: OperationChange, called: string): DerivedWords {
  switch (edit.kind) {
    case 'added':
      return {
        name: identifier('add', operation),
        kind: 'added',
        summary: `${called} is new.`,
        upgradeNote: 'Nothing to do.',
      };
    case 'removed':
      return {
        name: identifier('remove', operation),
        kind: 'removed',
        summary: `${called} is gone.`,
        upgradeNote:
          edit.as === undefined ? `Do without ${called}.` : `Call ${edit.as} where you called ${called}.`,
      };
    case 'status':
      return {
        name: identifier('answer', String(edit.newer), 'to', operation),
        kind: 'changed',
        summary: `${called} answers ${edit.newer} instead of ${edit.older}.`,
        upgradeNote: `Expect ${edit.newer}.`,
      };
    case 'error':
      return {
        name: identifier('answer', edit.newer.code, 'to', operation),
        kind: 'changed',
        summary: `${called} may answer ${edit.newer.status} ${edit.newer.code} where it answered ${edit.older.status} ${edit.older.code}.`,
        upgradeNote: `Look for ${edit.newer.code} where you looked for ${edit.older.code}.`,
      };
    case 'rule':
      return {
        name: identifier('change', edit.part, 'of', operation),
        kind: 'changed',
        summary: `${called}: ${edit.part} is another one.`,
        upgradeNote: `Look at ${edit.part} in the reference.`,
      };
    case 'header added':
      return {
        name: identifier('add', edit.header, 'to', operation),
        kind: 'added',
        summary: `${called} answers with the header ${edit.header}.`,
        upgradeNote: 'Nothing to do.',
      };
    case 'header removed':
      return {
        name: identifier('remove', edit.header, 'from', operation),
        kind: 'removed',
        summary: `${called} no longer answers with the header ${edit.header}.`,
        upgradeNote: `Do without ${edit.header}.`,
      };
    default:
      return edit satisfies never;
  }
}

export function eventWords({ event, edit }: EventChange): DerivedWords {
  const isAdded = edit.kind === 'added';
  return {
    name: identifier(isAdded ? 'add' : 'remove', event),
    kind: edit.kind,
    summary: isAdded ? `The event ${event} is new.` : `The event ${event} is gone.`,
    upgradeNote: isAdded ? `Subscribe to ${event} if you need it.` : `Do without ${event}.`,
  };
}

/** `add`, `gift`, `to`, `Order` become `addGiftToOrder`. Words after which nothing comes are left out. */
function identifier(...words: readonly (string | null)[]): string {
  const whole = words.at(-1) === null ? words.slice(0, -2) : words;
  const parts = whole.flatMap((word) => (word ?? '').split(/[^A-Za-z0-9]+/)).filter((part) => part !== '');
  return parts
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('');
}
