import { type Html, html } from '../../site/pages/html.ts';

/** The hidden fields of a form. */
export type HiddenFields = Readonly<Record<string, string>>;

export function hidden(fields: HiddenFields): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

export interface Input {
  name: string;
  label: string;
  type: 'email' | 'password';
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  autofocus?: boolean;
}

export function input({ name, label, type, autocomplete, value = '', hint, autofocus }: Input): Html {
  const note = hint === undefined ? null : html`<span class="hint">${hint}</span>`;
  const focus = autofocus ? html` autofocus` : null;
  return html`<label class="field"><span>${label}</span>
<input name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required${focus}>${note}</label>`;
}

/** An error, read out by screen readers as soon as it is shown. */
export function alert(problem: string | undefined): Html | null {
  return problem === undefined ? null : html`<p class="mark problem" role="alert">${problem}</p>`;
}

/** For signed-in users: their other pages, and signing out. */
export function accountNav(signOutForm: HiddenFields): Html {
  return html`<a class="site-link" href="/account/grants">Access</a>
<a class="site-link" href="/account/password">Password</a>
<form method="post" action="/account/sign-out">${hidden(signOutForm)}<button class="site-link">Sign out</button></form>`;
}
