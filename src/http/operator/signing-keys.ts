import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { ALGORITHM } from '../../oauth/signing/make-signing-key.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { SigningKey } from '../../oauth/signing/types.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';
import { object, oneOf, pageOf, pageQuery, says, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const Rotation = object({
  withdraw: Type.Optional(
    says(
      Type.Boolean(),
      'The old keys may be known to others: withdraw them and sign with the new one, at once. id_tokens that were signed before are refused from then on.',
    ),
  ),
});

const states = ['former', 'signing', 'upcoming'] as const;
type State = (typeof states)[number];

const SigningKeyItem = object({
  id: says(Text, 'The kid of id_tokens that it signs.'),
  algorithm: says(Type.Literal(ALGORITHM), 'The algorithm of its signatures.'),
  state: says(oneOf(states), 'Whether it signed before, signs now, or will sign.'),
  created_at: says(Time, 'When it was made.'),
  signs_from: says(Time, 'From when on it signs: every client can know it by then.'),
});

/** The keys of id_tokens, in the order in which they sign. */
export function signingKeyRoutes(app: App, environment: Environment, signingKeys: SigningKeys): void {
  const operation = operationsOf(app, 'Signing keys');

  operation(
    'GET /operator/signing-keys',
    {
      id: 'list_signing_keys',
      needs: 'viewer',
      summary: 'List the keys that id_tokens are signed with',
      says: 'Private keys are never shown. The list has one page.',
      query: pageQuery,
      answer: {
        status: 200,
        says: 'The keys, in the order in which they sign.',
        body: pageOf(SigningKeyItem),
      },
    },
    async () => {
      const { former, signing, upcoming } = await signingKeys.schedule(environment);
      const items = [
        ...former.map((key) => keyBody(key, 'former')),
        ...(signing ? [keyBody(signing, 'signing')] : []),
        ...upcoming.map((key) => keyBody(key, 'upcoming')),
      ];
      return { items, pagination: { next_cursor: null } };
    },
  );

  operation(
    'POST /operator/signing-keys/rotate',
    {
      id: 'rotate_signing_key',
      needs: 'admin',
      summary: 'Publish a new key for id_tokens',
      says: 'It signs as soon as every client can know it.',
      body: Rotation,
      answer: { status: 200, says: 'The new key.', body: SigningKeyItem },
    },
    async (request) => {
      const { withdraw = false } = request.body;
      const key = await signingKeys.rotate(environment, { actor: operatorOf(request), withdraw });
      return keyBody(key, withdraw ? 'signing' : 'upcoming');
    },
  );
}

function keyBody({ id, createdAt, signsFrom }: SigningKey, state: State): Wire<typeof SigningKeyItem> {
  return {
    id,
    algorithm: ALGORITHM,
    state,
    created_at: createdAt.toISOString(),
    signs_from: signsFrom.toISOString(),
  };
}
