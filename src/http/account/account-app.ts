import type { Environment } from '../../environments/environment.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import { createPasswordCheck } from '../../identity/sign-in.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { takeForms } from '../app/read-form.ts';
import { readPageAssets } from '../site/page-assets.ts';
import { layout, type Site } from '../site/pages/layout.ts';
import { pageHeaders } from '../site/pages/send-page.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import { grantsRoutes } from './grants-routes.ts';
import { problemPage } from './pages/problem-page.ts';
import { passwordRoutes } from './password-routes.ts';
import { formRules } from './send-form-page.ts';
import { setPasswordRoutes } from './set-password-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { createVisits } from './visits.ts';

export interface AccountAppOptions {
  environment: Environment;
  settings: AppSettings;
}

/** The pages for people: sign in, allow a client, revoke. All answers are pages or redirects. */
export function createAccountApp({ environment, settings }: AccountAppOptions): App {
  const site = { environment: environment.name, assets: readPageAssets() };
  const app = createApp({ ...settings, writeError: (error) => errorPage(site, error) });
  app.removeContentTypeParser('application/json');
  takeForms(app);
  const parts = {
    environment,
    site,
    visits: createVisits(environment),
    checkPassword: createPasswordCheck(environment),
  };
  authorizeRoutes(app, parts);
  signInRoutes(app, parts);
  passwordRoutes(app, parts);
  setPasswordRoutes(app, parts);
  grantsRoutes(app, parts);
  return app;
}

function errorPage(site: Site, error: ApiError): ErrorResponse {
  const { status, headers } = errorResponse(error);
  const body = layout(site, problemPage(error)).text;
  return { status, headers: { ...headers, ...pageHeaders(formRules) }, body };
}
