import type { JsonSchema } from '@dateline/versions';
import { webhookHeaders } from '../../contracts/prose/about.ts';
import type { Subject } from '../../contracts/prose/prose.ts';
import { sharedFields } from '../../contracts/prose/shared.ts';
import { describeSchema, mapValues, proseFinder } from './describe-schema.ts';

type Part = Readonly<Record<string, unknown>>;

/** A kind of event, with the headers of its deliveries. */
export function servedWebhook(post: Part, kind: string, version: string, subjects: readonly Subject[]): Part {
  const subject = subjects.find(({ events }) => Object.hasOwn(events, kind));
  const find = proseFinder(subject?.fields ?? {}, sharedFields);
  const content = (post.requestBody as { content: Readonly<Record<string, { schema: JsonSchema }>> }).content;
  return {
    ...post,
    operationId: `webhook:${kind}`,
    description: subject?.events[kind] ?? post.description,
    tags: ['webhooks'],
    security: [],
    parameters: Object.entries(webhookHeaders(version)).map(([name, { description, example }]) => ({
      name,
      in: 'header',
      required: true,
      description: description,
      schema: { type: 'string', ...(name === 'webhook-api-version' && { const: version }) },
      example,
    })),
    requestBody: {
      ...(post.requestBody as Part),
      content: mapValues(content, (body) => ({
        ...body,
        schema: describeSchema(body.schema, ['event'], find),
      })),
    },
    responses: {
      '2XX': { description: 'Received. Any other answer is a failure, after which it is sent again.' },
    },
  };
}
