import { grantProse } from './grants.ts';
import { organizationProse } from './organizations.ts';
import { productProse } from './products.ts';
import type { Subject } from './prose.ts';
import { registrationProse } from './registration.ts';
import { tokenProse } from './tokens.ts';
import { webhookProse } from './webhooks.ts';

/** The words of the served documents, the same for all versions; those of a version use what they need of them. */
export const subjectsOf = (version: string): readonly Subject[] => [
  tokenProse,
  registrationProse,
  grantProse,
  organizationProse,
  productProse,
  webhookProse(version),
];
