import type { CompiledVersion, JsonSchema } from '@dateline/versions';

/** What the contract of a version lets clients register; nothing is named where the contract does not say it. */
export interface Registrable {
  scopes: readonly string[] | undefined;
  idTokenAlgorithms: readonly string[] | undefined;
}

export function registrableIn({ contract }: CompiledVersion): Registrable {
  const operation = contract.operations.find(({ id }) => id === 'oauth2:register_client');
  const fields = (operation?.body?.schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const listed = (field: string, keyword: string) =>
    fields[field]?.[keyword] as readonly string[] | undefined;
  return {
    scopes: listed('scope', 'x-scopes'),
    idTokenAlgorithms: listed('id_token_signed_response_alg', 'enum'),
  };
}
