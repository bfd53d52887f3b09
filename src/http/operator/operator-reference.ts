import type { OpenApiDocument } from '@dateline/versions';
import { Type } from 'typebox';
import type { Brand } from '../../config/brand.ts';
import type { Environment } from '../../environments/environment.ts';
import type { App } from '../app/create-app.ts';
import type { Html } from '../site/pages/html.ts';
import { layout, siteOf } from '../site/pages/layout.ts';
import {
  operatorReferencePage,
  referenceContents,
  referencePermissions,
} from '../site/pages/reference-page.ts';
import { sendOpenPage } from '../site/pages/send-page.ts';
import { readReference } from '../site/reference/read-reference.ts';
import { sendCacheable } from '../site/send-cacheable.ts';
import { describe, Text } from './fields.ts';
import { type Operation, operationsOf } from './operation.ts';
import { operatorDocument } from './operator-document.ts';

interface ReferenceParts {
  environment: Environment;
  brand: Brand;
  operatorUrl: string | null;
}

/** The OpenAPI document and the reference page of the operator API. Both are public: they reveal no stored data. */
export function operatorReferenceRoutes(
  app: App,
  { environment: { name, issuer }, brand, operatorUrl }: ReferenceParts,
  operations: readonly Operation[],
): void {
  const operation = operationsOf(app, 'Reference');
  const site = siteOf(name, brand, operatorUrl === null ? '' : issuer);
  // Made when they are first asked for: all operations are declared by then, and they never change.
  let made: { document: OpenApiDocument; text: string } | undefined;
  let contents: Html | undefined;
  const documentOnce = () => {
    const document = made?.document ?? operatorDocument(operations);
    made ??= { document, text: JSON.stringify(document) };
    return made;
  };

  operation(
    'GET /operator/openapi.json',
    {
      id: 'read_openapi_document',
      needs: 'no key',
      summary: 'Read this document',
      answer: {
        description: 'An OpenAPI 3.1 document.',
        body: describe(Type.Record(Type.String(), Type.Unknown()), 'The document.'),
      },
    },
    async (request, reply) => {
      const { text } = documentOnce();
      return sendCacheable(request, reply, {
        contentType: 'application/json; charset=utf-8',
        text,
        isCompressed: true,
      });
    },
  );

  operation(
    'GET /operator/docs',
    {
      id: 'read_reference_page',
      needs: 'no key',
      summary: 'Read this document as a page',
      answer: { description: 'A page for people.', mediaType: 'text/html', body: Text },
    },
    async (request, reply) => {
      const setting = {
        url: operatorUrl ?? issuer,
        version: null,
        tokenName: 'OPERATOR_KEY',
        callOf: () => null,
      };
      contents ??= referenceContents(readReference(documentOnce().document, setting), site, 'operator');
      const page = layout(site, operatorReferencePage(site, contents));
      return sendOpenPage(request, reply, { page, permissions: referencePermissions });
    },
  );
}
