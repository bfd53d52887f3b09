import { html } from '../../site/pages/html.ts';
import type { Page } from '../../site/pages/layout.ts';
import { alert, type HiddenFields, hidden, input } from './form-parts.ts';
import { visibleName } from './visible-name.ts';

export interface SignInPageParts {
  /** Null where the user did not come from a client. */
  clientName: string | null;
  email: string | undefined;
  problem: string | undefined;
  form: HiddenFields;
}

export function signInPage({ clientName, email, problem, form }: SignInPageParts): Page {
  const purpose =
    clientName === null
      ? html`<p class="lead">to see and change which applications have access.</p>`
      : html`<p class="lead">to go on to <strong>${visibleName(clientName)}</strong>.</p>`;
  const main = html`<section class="card"><h1>Sign in</h1>
${purpose}${alert(problem)}
<form method="post" action="/account/sign-in">${hidden(form)}
${input({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, autofocus: !email })}
${input({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: Boolean(email) })}
<p class="actions"><button class="primary">Sign in</button></p>
</form></section>`;
  return { title: 'Sign in', main, nav: html`` };
}
