import { isOrganizationId, isUserId } from '../../identity/types.ts';
import { isId } from '../../kernel/ids.ts';
import type { Selection } from '../../oauth/tokens/bulk/selection.ts';
import type { GrantId, Subject } from '../../oauth/types.ts';
import { readTime } from './read-time.ts';

/** The tokens that a request selects. */
export interface SelectionFields {
  subject?: string;
  client_id?: string;
  organization_id?: string;
  issued_before?: string;
}

/** Makes the error for a wrong field. */
export type Refuse = (detail: string) => Error;

export function readSelection(fields: SelectionFields, refuse: Refuse): Selection {
  return {
    clientId: optional(fields.client_id, (id) => {
      if (isId<'oauth-client'>('cli', id)) return id;
      throw refuse('client_id must be an id that begins with cli_.');
    }),
    subject: optional(fields.subject, (id) => readSubject(id, refuse)),
    organizationId: optional(fields.organization_id, (id) => {
      if (isOrganizationId(id)) return id;
      throw refuse('organization_id must be an id that begins with org_.');
    }),
    issuedBefore: optional(fields.issued_before, (text) => {
      const time = readTime(text);
      if (time) return time;
      throw refuse('issued_before must be a time, such as 2027-01-06T17:00:00Z.');
    }),
  };
}

/** The `next_cursor` of an earlier answer. */
export function readGrantCursor(cursor: string | undefined, refuse: Refuse): GrantId | null {
  return optional(cursor, (text) => {
    if (isId<'grant'>('gra', text)) return text;
    throw refuse('cursor must be the next_cursor of an earlier answer.');
  });
}

function readSubject(id: string, refuse: Refuse): Subject {
  if (isUserId(id)) return { type: 'user', id };
  if (isOrganizationId(id)) return { type: 'organization', id };
  throw refuse('subject must be an id that begins with usr_ or org_.');
}

function optional<Value>(text: string | undefined, read: (text: string) => Value): Value | null {
  return text === undefined ? null : read(text);
}
