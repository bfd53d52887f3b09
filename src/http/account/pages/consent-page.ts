import type { KnownScopes } from '../../../environments/known-scopes.ts';
import type { Organization } from '../../../identity/types.ts';
import type { AuthorizationRequest } from '../../../oauth/authorize/authorization-request.ts';
import { type Html, html } from '../../site/pages/html.ts';
import type { Page } from '../../site/pages/layout.ts';
import { alert, type HiddenFields, hidden } from './form-parts.ts';
import { visibleName } from './visible-name.ts';

export interface ConsentPageParts {
  asked: AuthorizationRequest;
  wordsFor: KnownScopes['wordsFor'];
  /** The organization that owns the client. */
  publisherName: string;
  email: string;
  /** The organizations to choose from; null if no requested scope needs one. */
  organizations: readonly Organization[] | null;
  chosenIds: readonly string[];
  form: HiddenFields;
  signOutForm: HiddenFields;
  problem: string | undefined;
}

/** The field that says whether an organization is chosen. */
export const organizationField = (id: string): string => `organization:${id}`;

export function consentPage(parts: ConsentPageParts): Page {
  const { asked, wordsFor, publisherName, email, form, signOutForm, problem } = parts;
  const { client, scopes, audience, redirectUri, isSelfRegistered } = asked;
  const name = visibleName(client.name);
  const publisher = visibleName(publisherName);
  const forWhom =
    audience === client.id ? null : html`<p>Its tokens are valid at <strong>${audience}</strong> only.</p>`;
  const main = html`<section class="card"><h1>Allow ${name}?</h1>
<p class="lead"><strong>${name}</strong>, an application of ${publisher}, asks for permission to:</p>
${isSelfRegistered ? unverified : null}
${alert(problem)}
<form method="post" action="/account/consent">${hidden(form)}
<ul class="permissions">${scopes.map((scope) => html`<li>${wordsFor(scope)}</li>`)}</ul>
${forWhom}
${organizationChoice(parts)}
<p class="actions"><button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button></p>
</form>
<p class="hint">You go back to <strong>${destinationOf(redirectUri)}</strong>. You can revoke this at any time under
<a href="/account/grants">Access</a>.</p>
<form class="hint" method="post" action="/account/sign-out">${hidden(signOutForm)}
Signed in as ${email}. <button class="plain-link">Use another account</button></form></section>`;
  return { title: `Allow ${name}?`, main, nav: html`` };
}

function organizationChoice({ organizations, chosenIds }: ConsentPageParts): Html | null {
  if (organizations === null) return null;
  if (organizations.length === 0)
    return html`<p>You are not a member of any organization, so it gets access to none.</p>`;
  const choices = organizations.map(({ id, name }) => {
    const checked = chosenIds.includes(id) ? html` checked` : null;
    return html`<label class="choice"><input type="checkbox" name="${organizationField(id)}" value="yes"${checked}> ${name}</label>`;
  });
  return html`<fieldset><legend>In these organizations</legend>${choices}</fieldset>`;
}

const unverified = html`<p class="mark problem">It registered itself: nobody has verified its name or its publisher. Continue
only if you have just started this yourself.</p>`;

/** The part of an address that shows where it leads. Only of the web does the host say that: elsewhere any app may claim one. */
function destinationOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : `the app for ${protocol}`;
}
