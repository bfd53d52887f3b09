import type { KnownScopes } from '../../../environments/known-scopes.ts';
import type { Organization } from '../../../identity/types.ts';
import type { Allowed } from '../../../oauth/grants/caller-grants/store.ts';
import { type Html, html } from '../../site/pages/html.ts';
import type { Page } from '../../site/pages/layout.ts';
import { instant } from '../../site/pages/version-parts.ts';
import { accountNav, type HiddenFields, hidden } from './form-parts.ts';
import { visibleName } from './visible-name.ts';

export interface GrantsPageParts {
  email: string;
  allowed: readonly Allowed[];
  wordsFor: KnownScopes['wordsFor'];
  /** The organizations that these name. */
  organizations: readonly Organization[];
  formFor(clientId: string): HiddenFields;
  signOutForm: HiddenFields;
}

/** The page of a user's live grants, grouped by application. */
export function grantsPage(parts: GrantsPageParts): Page {
  const { email, allowed, signOutForm } = parts;
  const clientIds = [...new Set(allowed.map(({ clientId }) => clientId))];
  const applications = clientIds.map((id) =>
    application(
      parts,
      allowed.filter(({ clientId }) => clientId === id),
    ),
  );
  const main = html`<h1>Who has access</h1>
<p class="lead">These applications may act for you, ${email}. Access that you remove ends at once.</p>
${applications.length === 0 ? html`<p>No application has access.</p>` : applications}`;
  return { title: 'Who has access', main, nav: accountNav(signOutForm) };
}

function application(
  { wordsFor, organizations, formFor }: GrantsPageParts,
  allowed: readonly Allowed[],
): Html | null {
  const [first] = allowed;
  if (!first) return null;
  const scopes = [...new Set(allowed.flatMap((one) => one.scopes))];
  const ids = new Set(allowed.flatMap(({ organizationIds }) => organizationIds));
  const names = organizations.filter(({ id }) => ids.has(id)).map(({ name }) => name);
  const application = visibleName(first.clientName);
  return html`<article><h2 class="application">${application}</h2>
<ul class="permissions">${scopes.map((scope) => html`<li>${wordsFor(scope)}</li>`)}</ul>
<dl class="facts"><dt>Organizations</dt><dd>${names.length === 0 ? 'none' : names.join(', ')}</dd>
<dt>Since</dt><dd>${instant(first.since.toISOString())}</dd></dl>
<form method="post" action="/account/grants">${hidden(formFor(first.clientId))}
<p class="actions"><button>Remove access<span class="unseen"> of ${application}</span></button></p></form></article>`;
}
