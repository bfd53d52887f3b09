import { ApiProblem, answerOf, api } from '../api.ts';
import type { paths } from '../generated/operator-api.ts';
import { Shown, useLoaded } from './loading.tsx';

/** Every scope with what it allows. None is chosen unless it was. */
export function ScopeChoice({ chosen = [] }: { chosen?: readonly string[] }) {
  const { state } = useLoaded(() => answerOf(api.GET('/operator/scopes')), []);
  return (
    <fieldset class="scopes">
      <legend>Scopes</legend>
      <p class="hint">
        What its tokens may do at most. Without any, they may do nothing; a resource server needs none.
      </p>
      <Shown state={state}>
        {({ items }) => [
          <input type="hidden" name={SHOWN} key={SHOWN} value="yes" />,
          ...items.map(({ name, description, about_people: isAboutPeople }) => (
            <label class="check" key={name}>
              <input type="checkbox" name="scopes" value={name} defaultChecked={chosen.includes(name)} />
              <span>
                <code>{name}</code> {description}
                {isAboutPeople && ' (of people who sign in)'}
              </span>
            </label>
          )),
        ]}
      </Shown>
    </fieldset>
  );
}

/** Those of Dateline; an API folder has others. */
type Scope = NonNullable<
  paths['/operator/clients']['post']['requestBody']['content']['application/json']['scopes']
>[number];

/** Those that are chosen in a form. Without their list nobody has chosen anything: neither none nor all is meant. */
export function scopesIn(form: FormData): Scope[] {
  if (!form.has(SHOWN))
    throw new ApiProblem(0, { detail: 'The list of scopes could not be read. Reload the page.' });
  return form.getAll('scopes') as Scope[];
}

const SHOWN = 'scopes_shown';
