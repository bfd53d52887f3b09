import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ALGORITHM } from '../../oauth/signing/make-signing-key.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { SigningKey } from '../../oauth/signing/types.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';

const Rotation = Type.Object({ withdraw: Type.Optional(Type.Boolean()) }, { additionalProperties: false });

type State = 'former' | 'signing' | 'upcoming';

/** The keys of id_tokens, in the order in which they sign. */
export function signingKeyRoutes(app: App, environment: Environment, signingKeys: SigningKeys): void {
  app.get('/operator/signing-keys', async () => {
    const { former, signing, upcoming } = await signingKeys.schedule(environment);
    const items = [
      ...former.map((key) => keyBody(key, 'former')),
      ...(signing ? [keyBody(signing, 'signing')] : []),
      ...upcoming.map((key) => keyBody(key, 'upcoming')),
    ];
    return { items, pagination: { next_cursor: null } };
  });

  app.post<{ Body: Type.Static<typeof Rotation> }>(
    '/operator/signing-keys/rotate',
    { schema: { body: Rotation } },
    async (request) => {
      const { withdraw = false } = request.body;
      const key = await signingKeys.rotate(environment, { actor: operatorOf(request), withdraw });
      return keyBody(key, withdraw ? 'signing' : 'upcoming');
    },
  );
}

function keyBody({ id, createdAt, signsFrom }: SigningKey, state: State) {
  return {
    id,
    algorithm: ALGORITHM,
    state,
    created_at: createdAt.toISOString(),
    signs_from: signsFrom.toISOString(),
  };
}
