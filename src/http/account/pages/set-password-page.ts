import { passwordLengthMin } from '../../../identity/passwords.ts';
import { html } from '../../site/pages/html.ts';
import type { Page } from '../../site/pages/layout.ts';
import { alert, type HiddenFields, hidden, input } from './form-parts.ts';

export interface SetPasswordPageParts {
  email: string;
  form: HiddenFields;
  problem: string | undefined;
}

export function setPasswordPage({ email, form, problem }: SetPasswordPageParts): Page {
  const main = html`<section class="card"><h1>Set a password</h1>
<p class="lead">for ${email}. You are signed out everywhere else.</p>${alert(problem)}
<form method="post" action="/account/set-password">${hidden(form)}
<input name="username" autocomplete="username" value="${email}" readonly hidden>
${input({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${passwordLengthMin} characters.`, autofocus: true })}
${input({ name: 'repeated_password', label: 'Repeat the new password', type: 'password', autocomplete: 'new-password' })}
<p class="actions"><button class="primary">Set password</button></p>
</form></section>`;
  return { title: 'Set a password', main, nav: html`` };
}
