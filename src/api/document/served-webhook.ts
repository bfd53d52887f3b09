import { webhookHeaders } from '../../contracts/prose/about.ts';
import type { Subject } from '../../contracts/prose/prose.ts';
import { sharedFields } from '../../contracts/prose/shared.ts';
import { describeSchema, mapValues, proseFinder } from './describe-schema.ts';
import { type Part, partIn, partsIn } from './parts.ts';

/** A kind of event, with the headers of its deliveries. */
export function servedWebhook(post: Part, kind: string, version: string, subjects: readonly Subject[]): Part {
  const subject = subjects.find(({ events }) => Object.hasOwn(events, kind));
  const find = proseFinder(subject?.fields ?? {}, sharedFields);
  const requestBody = partIn(post, 'requestBody');
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
      ...requestBody,
      content: mapValues(partsIn(requestBody, 'content'), (body) => ({
        ...body,
        schema: describeSchema(partIn(body, 'schema'), ['event'], find),
      })),
    },
    responses: {
      '2XX': { description: 'Received. Any other answer is a failure, after which it is sent again.' },
    },
  };
}
