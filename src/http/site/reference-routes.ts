import type { OpenApiDocument } from '@dateline/versions';
import { clientCall } from '../../contracts/client-calls.ts';
import type { App } from '../app/create-app.ts';
import { requestContext } from '../edge/request-context.ts';
import {
  maintainedVersion,
  type NamesVersion,
  sendMissingVersion,
  type VersionPages,
} from './maintained-version.ts';
import type { Html } from './pages/html.ts';
import { layout, type Site } from './pages/layout.ts';
import { referenceContents, referencePage, referencePermissions } from './pages/reference-page.ts';
import { sendOpenPage } from './pages/send-page.ts';
import { readReference } from './reference/read-reference.ts';
import type { ServedDocuments } from './served-documents.ts';

export interface ReferenceRoutesOptions extends VersionPages {
  documents: ServedDocuments;
  issuer: string;
}

/** The API reference for people: one page per maintained version, and a redirect to the one that most should read. */
export function referenceRoutes(app: App, options: ReferenceRoutesOptions): void {
  const { site, documents, issuer } = options;
  const contentsOf = createContents(site, issuer);

  app.get('/docs', async (request, reply) =>
    reply.redirect(`/docs/${requestContext(request.raw).lifecycle.current}`, 302),
  );

  app.get<NamesVersion>('/docs/:version', async (request, reply) => {
    const maintained = maintainedVersion(request, options);
    if (!maintained) return sendMissingVersion(request, reply, options);
    const { shown, described } = maintained;
    const contents = contentsOf(shown.version, documents(maintained).document);
    const page = layout(site, referencePage(site, { shown, described, contents }));
    return sendOpenPage(request, reply, { page, permissions: referencePermissions });
  });
}

/** Made once for each document. */
function createContents(site: Site, issuer: string): (version: string, document: OpenApiDocument) => Html {
  const made = new WeakMap<OpenApiDocument, Html>();
  return (version, document) => {
    const setting = { url: issuer, version, tokenName: 'TOKEN', callOf: clientCall };
    const contents =
      made.get(document) ?? referenceContents(readReference(document, setting), site, 'client');
    made.set(document, contents);
    return contents;
  };
}
