import type { CompiledApi, OpenApiDocument } from '@dateline/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { type DescribedVersion, type DescribedVersions, describeVersions } from './describe-versions.ts';
import { wantsPage } from './negotiation.ts';
import { layout, type Site } from './pages/layout.ts';
import { missingVersionPage } from './pages/not-found-page.ts';
import { sendPage } from './pages/send-page.ts';

/** Dependencies of the pages about versions. */
export interface VersionPages {
  /** The versions that this build can serve. */
  api: CompiledApi;
  site: Site;
}

/** A route with a version in its path. */
export interface NamesVersion {
  Params: { version: string };
}

export interface MaintainedVersion {
  shown: DescribedVersion;
  document: OpenApiDocument;
  described: DescribedVersions;
}

/** The version that an address names, if it is maintained at the time of the request. */
export function maintainedVersion(
  request: FastifyRequest<NamesVersion>,
  { api }: VersionPages,
): MaintainedVersion | null {
  const described = describeVersions(request);
  const shown = described.versions.find((candidate) => candidate.version === request.params.version);
  const compiled = shown && api.get(shown.version);
  return compiled ? { shown, document: compiled.document, described } : null;
}

/** 404; for people as a page with a link to the list. */
export function sendMissingVersion(
  request: FastifyRequest<NamesVersion>,
  reply: FastifyReply,
  { site }: VersionPages,
): FastifyReply {
  if (!wantsPage(request, reply, 'application/json')) throw missingVersionError(request);
  const page = layout(site, missingVersionPage(describeVersions(request)));
  return sendPage(reply, { page, status: 404 });
}

export function missingVersionError({ params }: FastifyRequest<NamesVersion>): ApiError {
  return new ApiError('not_found', { detail: `There is no version ${params.version} here.` });
}
