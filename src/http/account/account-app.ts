import type { ApiVersion, CompiledApi } from '@dateline/versions';
import type { Brand } from '../../config/brand.ts';
import type { Environment } from '../../environments/environment.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import { createPasswordCheck } from '../../identity/sign-in.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { takeForms } from '../app/read-form.ts';
import { layout, type Site, siteOf } from '../site/pages/layout.ts';
import { pageHeaders } from '../site/pages/send-page.ts';
import { type AccountParts, createVisits } from './account-parts.ts';
import { type AuthorizeRoute, authorizeRoutesOf, consentRoutes, serveAuthorize } from './authorize-routes.ts';
import { grantsRoutes } from './grants-routes.ts';
import { problemPage } from './pages/problem-page.ts';
import { passwordRoutes, setPasswordRoutes } from './password-routes.ts';
import { formRules } from './send-form-page.ts';
import { signInRoutes } from './sign-in-routes.ts';

export interface AccountAppOptions {
  environment: Environment;
  /** The contracts say how each version takes a client's request. */
  api: CompiledApi;
  settings: AppSettings;
  brand: Brand;
}

export interface AccountApps {
  /** The pages for people: sign in, allow a client, revoke. */
  account: App;
  /** Where clients send browsers, by version. */
  authorize: ReadonlyMap<ApiVersion, App>;
}

/** The apps that people see in a browser. Every answer is a page or a redirect. */
export function createAccountApps({ environment, api, settings, brand }: AccountAppOptions): AccountApps {
  const site = siteOf(environment.name, brand);
  const parts = {
    environment,
    site,
    visits: createVisits(environment),
    checkPassword: createPasswordCheck(environment),
  };
  const account = createPageApp(site, settings);
  consentRoutes(account, parts);
  signInRoutes(account, parts);
  passwordRoutes(account, parts);
  setPasswordRoutes(account, parts);
  grantsRoutes(account, parts);
  return { account, authorize: authorizeApps(api, () => createPageApp(site, settings), parts) };
}

/** Versions that take the same requests share an app. */
function authorizeApps(api: CompiledApi, create: () => App, parts: AccountParts): Map<ApiVersion, App> {
  const apps = new Map<string, App>();
  const appOf = (routes: readonly AuthorizeRoute[]): App => {
    const taken = JSON.stringify(routes);
    const known = apps.get(taken);
    if (known) return known;
    const app = create();
    serveAuthorize(app, routes, parts);
    apps.set(taken, app);
    return app;
  };
  return new Map([...api].map(([version, compiled]) => [version, appOf(authorizeRoutesOf(compiled))]));
}

function createPageApp(site: Site, settings: AppSettings): App {
  const app = createApp({ ...settings, writeError: (error) => errorPage(site, error) });
  app.removeContentTypeParser('application/json');
  takeForms(app);
  return app;
}

function errorPage(site: Site, error: ApiError): ErrorResponse {
  const { status, headers } = errorResponse(error);
  const body = layout(site, problemPage(error)).text;
  return { status, headers: { ...headers, ...pageHeaders(formRules) }, body };
}
