import { loadConfig } from '../../../src/config/load-config.ts';
import { createEnvironment, type Environment } from '../../../src/environments/environment.ts';
import { knownScopes } from '../../../src/oauth/scopes/scopes.ts';
import { liveContracts } from '../contracts/live-contracts.ts';

type Parts = Pick<Environment, 'name' | 'issuer' | 'database' | 'clock'> &
  Partial<Pick<Environment, 'lifetimes'>>;

/** An environment with the default lifetimes and scopes, whose versions follow the calendar. */
export function environmentOn({ lifetimes = loadConfig({}).lifetimes, ...parts }: Parts): Environment {
  return createEnvironment({
    ...parts,
    lifetimes,
    contracts: liveContracts(parts.clock),
    scopes: knownScopes(),
  });
}
