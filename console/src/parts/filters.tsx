import { query, setQuery } from '../router.ts';
import { versionStates } from '../version-states.ts';
import { Choice } from './list.tsx';
import { useLoaded } from './loading.tsx';

const bounds = [
  ['since', 'From (your local time)'],
  ['until', 'Until (your local time)'],
] as const;

/** From when on, and until when: in the address as UTC, so that a colleague elsewhere sees the same. */
export function Period() {
  return (
    <>
      {bounds.map(([name, label]) => (
        <label key={name} class="field">
          {label}
          <input
            type="datetime-local"
            value={localOf(query.value.get(name) ?? '')}
            onChange={(event) => setQuery({ [name]: utcOf(event.currentTarget.value) })}
          />
        </label>
      ))}
    </>
  );
}

/** As the field wants it, to the minute; empty for what is no time. */
function localOf(utc: string): string {
  const at = new Date(utc);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcOf(local: string): string {
  return local === '' ? '' : new Date(local).toISOString();
}

interface VersionChoiceProps {
  label?: string;
  /** Its name in the address. */
  name?: string;
}

/** One of the versions that are served, or the one that the address names. */
export function VersionChoice({ label = 'Version', name = 'version' }: VersionChoiceProps) {
  const { state } = useLoaded(versionStates, []);
  const served = state.is === 'there' ? [...state.data.keys()] : [];
  const chosen = query.value.get(name);
  const versions = [...new Set([...served, ...(chosen ? [chosen] : [])])].sort();
  return (
    <Choice
      label={label}
      name={name}
      options={[['', 'all'], ...versions.map((one): [string, string] => [one, one])]}
    />
  );
}

/** The filters of the address among these names, without those that are empty. */
export function filtersIn<Name extends string>(names: readonly Name[]): Partial<Record<Name, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.value.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<Name, string>>;
}
