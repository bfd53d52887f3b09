import { type ApiVersion, type ReleaseNotes, releaseNotesMarkdown } from '@dateline/versions';
import type { App } from '../app/create-app.ts';
import { describeVersions } from './describe-versions.ts';
import {
  maintainedVersion,
  missingVersionError,
  type NamesVersion,
  sendMissingVersion,
  type VersionPages,
} from './maintained-version.ts';
import { wantsPage } from './negotiation.ts';
import { homePage } from './pages/home-page.ts';
import { layout } from './pages/layout.ts';
import { releaseNotesPage } from './pages/release-notes-page.ts';
import { sendOpenPage, sendPage } from './pages/send-page.ts';
import { versionsPage } from './pages/versions-page.ts';
import { sendCacheable } from './send-cacheable.ts';
import type { ServedDocuments } from './served-documents.ts';

export interface VersionRoutesOptions extends VersionPages {
  releaseNotes(version: ApiVersion): ReleaseNotes;
  documents: ServedDocuments;
}

/** Information about versions: for programs, and at the same addresses for people. */
export function versionRoutes(app: App, options: VersionRoutesOptions): void {
  const { releaseNotes, site, documents } = options;

  app.get('/', async (request, reply) => {
    const described = describeVersions(request);
    if (wantsPage(request, reply, 'application/json'))
      return sendPage(reply, { page: layout(site, homePage(site.environment, described)) });
    return {
      name: 'Dateline',
      environment: site.environment,
      current: described.current,
      versions: '/versions',
      reference: `/docs/${described.current}`,
    };
  });

  app.get('/versions', async (request, reply) => {
    const described = describeVersions(request);
    if (!wantsPage(request, reply, 'application/json')) return described;
    return sendPage(reply, { page: layout(site, versionsPage(described)) });
  });

  app.get<NamesVersion>('/versions/:version/openapi.json', async (request, reply) => {
    const maintained = maintainedVersion(request, options);
    if (!maintained) throw missingVersionError(request);
    const { text } = documents(maintained);
    return sendCacheable(request, reply, {
      contentType: 'application/json; charset=utf-8',
      text,
      isCompressed: true,
    });
  });

  app.get<NamesVersion>('/versions/:version/release-notes', async (request, reply) => {
    const maintained = maintainedVersion(request, options);
    if (!maintained) return sendMissingVersion(request, reply, options);
    const notes = releaseNotes(maintained.shown.version);
    if (wantsPage(request, reply, 'text/markdown')) {
      return sendOpenPage(request, reply, {
        page: layout(site, releaseNotesPage({ notes, ...maintained })),
      });
    }
    const text = releaseNotesMarkdown(notes);
    return sendCacheable(request, reply, {
      contentType: 'text/markdown; charset=utf-8',
      text,
      isCompressed: true,
    });
  });
}
