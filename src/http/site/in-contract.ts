import type { CompiledVersion, JsonSchema } from '@dateline/versions';
import { type Parts, partsIn, textsIn } from '../../api/document/parts.ts';

/** The scopes that the contract of a version lets clients register; undefined where it does not say. */
export function registrableScopes(version: CompiledVersion): readonly string[] | undefined {
  const fields = propertiesOf(operationIn(version, 'oauth2:register_client')?.body?.schema);
  return fields.scope && 'x-scopes' in fields.scope ? textsIn(fields.scope, 'x-scopes') : undefined;
}

/** The claims about a person that the contract of a version has. */
export function claimsIn(version: CompiledVersion): readonly string[] {
  const { responses } = operationIn(version, 'oauth2:read_userinfo') ?? {};
  return Object.keys(propertiesOf(responses?.[200]?.schema));
}

function operationIn({ contract }: CompiledVersion, operationId: string) {
  return contract.operations.find(({ id }) => id === operationId);
}

function propertiesOf(schema: JsonSchema | undefined): Parts {
  return partsIn(schema ?? {}, 'properties');
}
