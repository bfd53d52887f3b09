import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import type { KeySchedule } from '../../oauth/signing/key-schedule.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { SigningKey } from '../../oauth/signing/types.ts';
import { signingAlgorithms, USUAL_ALGORITHM } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';
import { describe, object, oneOf, optional, pageOf, pageQuery, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const Rotation = object({
  algorithm: optional(
    oneOf(signingAlgorithms),
    `Which of the keys is rotated; ${USUAL_ALGORITHM} where it is not said.`,
  ),
  withdraw: optional(
    Type.Boolean(),
    'The old keys may be known to others: withdraw them and sign with the new one, at once. id_tokens that were signed before are refused from then on.',
  ),
});

const states = ['former', 'signing', 'upcoming'] as const;
type State = (typeof states)[number];

const SigningKeyItem = object({
  id: describe(Text, 'The kid of id_tokens that it signs.'),
  algorithm: describe(oneOf(signingAlgorithms), 'The algorithm of its signatures.'),
  state: describe(oneOf(states), 'Whether it signed before, signs now, or will sign.'),
  created_at: describe(Time, 'When it was made.'),
  signs_from: describe(Time, 'From when on it signs: every client can know it by then.'),
});

/** The keys of id_tokens: by algorithm, in the order in which they sign. */
export function signingKeyRoutes(app: App, environment: Environment, signingKeys: SigningKeys): void {
  const operation = operationsOf(app, 'Signing keys');

  operation(
    'GET /operator/signing-keys',
    {
      id: 'list_signing_keys',
      needs: 'viewer',
      summary: 'List the keys that id_tokens are signed with',
      description: 'Private keys are never shown. The list has one page.',
      query: pageQuery,
      answer: {
        description: 'The keys: by algorithm, in the order in which they sign.',
        body: pageOf(SigningKeyItem),
      },
    },
    async () => {
      const items = [];
      for (const algorithm of signingAlgorithms)
        items.push(...keyBodies(await signingKeys.schedule(environment, algorithm)));
      return { items, pagination: { next_cursor: null } };
    },
  );

  operation(
    'POST /operator/signing-keys/rotate',
    {
      id: 'rotate_signing_key',
      needs: 'admin',
      summary: 'Publish a new key for id_tokens',
      description: 'It signs as soon as every client can know it.',
      body: Rotation,
      answer: { description: 'The new key.', body: SigningKeyItem },
    },
    async (request) => {
      const { algorithm = USUAL_ALGORITHM, withdraw = false } = request.body;
      const rotation = { algorithm, actor: operatorOf(request), withdraw };
      const key = await signingKeys.rotate(environment, rotation);
      return keyBody(key, withdraw ? 'signing' : 'upcoming');
    },
  );
}

function keyBodies({ former, signing, upcoming }: KeySchedule): Wire<typeof SigningKeyItem>[] {
  return [
    ...former.map((key) => keyBody(key, 'former')),
    ...(signing ? [keyBody(signing, 'signing')] : []),
    ...upcoming.map((key) => keyBody(key, 'upcoming')),
  ];
}

function keyBody(
  { id, algorithm, createdAt, signsFrom }: SigningKey,
  state: State,
): Wire<typeof SigningKeyItem> {
  return {
    id,
    algorithm,
    state,
    created_at: createdAt.toISOString(),
    signs_from: signsFrom.toISOString(),
  };
}
