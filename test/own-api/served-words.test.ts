import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { maintained, next } from '../support/service/build-versions.ts';

const text = { type: 'string' };
const externalDocs = { url: 'https://words.example/more', description: 'More.' };
const contact = { name: 'Words', url: 'https://words.example', email: 'help@words.example' };
const license = { name: 'Apache 2.0', identifier: 'Apache-2.0' };
const tag = { name: 'words', description: 'All words.', externalDocs, 'x-order': 1 };
const shown = { summary: 'A short one.', value: { word: 'a' } };

const contract = {
  openapi: '3.1.0',
  'x-audience': 'everyone',
  info: {
    title: 'Words',
    version: next,
    summary: 'Short.',
    termsOfService: 'https://words.example/terms',
    contact,
    license,
    'x-logo': { url: 'https://words.example/logo.svg' },
  },
  servers: [
    { url: 'https://words.example/{area}', description: 'By area.', variables: { area: { default: 'eu' } } },
    { url: 'http://127.0.0.1:9/internal' },
  ],
  externalDocs,
  tags: [tag],
  security: [{ oauth: ['read'] }],
  paths: {
    '/words': {
      'x-area': { of: 'paths' },
      get: {
        operationId: 'words',
        tags: ['words'],
        deprecated: true,
        externalDocs,
        'x-codegen': { name: 'listWords' },
        parameters: [
          {
            name: 'like',
            in: 'query',
            schema: text,
            examples: { short: { $ref: '#/components/examples/Like' } },
            'x-hint': 'a',
          },
        ],
        responses: {
          200: {
            description: 'Words.',
            'x-cost': 1,
            headers: { 'X-Count': { $ref: '#/components/headers/Count' } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  'x-row': true,
                  properties: { word: { ...text, 'x-unit': 'letters' } },
                },
                examples: { short: { $ref: '#/components/examples/Short' } },
              },
            },
          },
        },
      },
    },
  },
  webhooks: {
    'word.added': {
      post: {
        'x-topic': 'words',
        externalDocs,
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { word: text } } } },
        },
      },
    },
  },
  components: {
    headers: { Count: { description: 'How many there are.', schema: { type: 'integer' } } },
    examples: { Short: shown, Like: { value: 'a*' } },
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: '/t', scopes: { read: 'Look words up.' } } },
      },
    },
  },
};

describe('the served document of an API folder', () => {
  const service = useTestFolder({
    contract: JSON.stringify(contract),
    scopes: ['read'],
    upstream: (_request, response) => void response.end(),
  });

  it.each(maintained)('[folder 44] has the words and extensions of its author, in %s', async (version) => {
    const answer = await service.call('sandbox', `/versions/${version}/openapi.json`);
    const document = (await answer.json()) as typeof contract;
    const { 'x-logo': logo, termsOfService, summary } = contract.info;
    expect(document).toMatchObject({
      'x-audience': 'everyone',
      info: { contact, license, 'x-logo': logo, termsOfService, summary, version },
      externalDocs,
    });
    expect(document.tags).toContainEqual(tag);
    // The first one is where it is served; nobody is sent to the upstream.
    expect(document.servers).toEqual([{ url: new URL(answer.url).origin }, contract.servers[0]]);
    const { get } = document.paths['/words'];
    const { responses, parameters, ...written } = contract.paths['/words'].get;
    expect(get).toMatchObject({ ...written, 'x-area': { of: 'paths' } });
    expect(get.parameters).toContainEqual(
      expect.objectContaining({ name: 'like', 'x-hint': 'a', examples: { short: { value: 'a*' } } }),
    );
    expect(get.responses[200]).toMatchObject({
      'x-cost': 1,
      headers: { 'X-Count': contract.components.headers.Count },
      content: {
        'application/json': {
          schema: responses[200].content['application/json'].schema,
          examples: { short: shown },
        },
      },
    });
    expect(document.webhooks['word.added'].post).toMatchObject({ 'x-topic': 'words', externalDocs });
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { 'x-scope-descriptions': { read: 'Look words up.' } },
    });
  });
});
