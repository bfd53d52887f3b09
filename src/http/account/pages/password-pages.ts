import { passwordLengthMin } from '../../../identity/passwords.ts';
import { html } from '../../site/pages/html.ts';
import type { Page } from '../../site/pages/layout.ts';
import { accountNav, alert, type HiddenFields, hidden, input } from './form-parts.ts';

export interface PasswordPageParts {
  email: string;
  form: HiddenFields;
  signOutForm: HiddenFields;
  problem?: string;
  done?: boolean;
}

export function passwordPage({ email, form, signOutForm, problem, done }: PasswordPageParts): Page {
  const success = done
    ? html`<p class="mark current" role="status">The password was changed. All other sessions were ended.</p>`
    : null;
  const main = html`<section class="card"><h1>Change password</h1>
<p class="lead">of ${email}. All other browsers are signed out.</p>${success}${alert(problem)}
<form method="post" action="/account/password">${hidden(form)}
<input name="username" autocomplete="username" value="${email}" readonly hidden>
${input({ name: 'old_password', label: 'Old password', type: 'password', autocomplete: 'current-password' })}
${input({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${passwordLengthMin} characters.` })}
${input({ name: 'repeated_password', label: 'Repeat the new password', type: 'password', autocomplete: 'new-password' })}
<p class="actions"><button class="primary">Change password</button></p>
</form></section>`;
  return { title: 'Change password', main, nav: accountNav(signOutForm) };
}

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
