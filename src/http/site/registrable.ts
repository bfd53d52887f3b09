import type { CompiledVersion, JsonSchema } from '@dateline/versions';

/** What the contract of a version lets clients register; nothing is named where the contract does not say it. */
export interface Registrable {
  scopes: readonly string[] | undefined;
}

export function registrableIn({ contract }: CompiledVersion): Registrable {
  const operation = contract.operations.find(({ id }) => id === 'oauth2:register_client');
  const fields = (operation?.body?.schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  return { scopes: fields.scope?.['x-scopes'] as readonly string[] | undefined };
}
