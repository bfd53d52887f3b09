import type { App } from '../app/create-app.ts';
import { requestContext } from '../edge/request-context.ts';
import {
  maintainedVersion,
  type NamesVersion,
  sendMissingVersion,
  type VersionPages,
} from './maintained-version.ts';
import { layout } from './pages/layout.ts';
import { referencePage, referencePermissions } from './pages/reference-page.ts';
import { sendPage } from './pages/send-page.ts';

/** The API reference for people: one page per maintained version, and a redirect to the one that most should read. */
export function referenceRoutes(app: App, options: VersionPages): void {
  app.get('/docs', async (request, reply) =>
    reply.redirect(`/docs/${requestContext(request.raw).lifecycle.current}`, 302),
  );

  app.get<NamesVersion>('/docs/:version', async (request, reply) => {
    const maintained = maintainedVersion(request, options);
    if (!maintained) return sendMissingVersion(request, reply, options);
    const { shown, described } = maintained;
    const page = layout(options.site, referencePage(options.site, shown, described));
    return sendPage(reply, { page, permissions: referencePermissions });
  });
}
