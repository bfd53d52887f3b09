import { textsIn } from '../../document/parts.ts';
import type { FoundOperation } from '../places.ts';

/** The scope that an operation asks for where its document has none. */
export function tagScopeOf(
  { part, method, section }: FoundOperation,
  reserved: ReadonlySet<string>,
): { scope: string; consent: string } {
  const [tag = 'api'] = textsIn(part, 'tags');
  const isRead = section === 'webhooks' || method === 'get' || method === 'head';
  const verb = isRead ? 'read' : 'write';
  const subject = asName(tag);
  const scope = `${subject}:${verb}`;
  const about = tag.replaceAll(/\s+/g, ' ').trim().slice(0, 150) || 'the API';
  return {
    scope: reserved.has(scope) ? `api-${scope}` : scope,
    consent: isRead ? `See ${about}` : `Change ${about}`,
  };
}

function asName(tag: string): string {
  const name = tag
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9._-]+/g, '-');
  return name.replaceAll(/^-+|-+$/g, '').slice(0, 100) || 'api';
}

/** The words of a scope, as people read them. */
export function consentOf(words: unknown, scope: string): string {
  const text = typeof words === 'string' ? words.replaceAll(/\s+/g, ' ').trim() : '';
  return (text || scope).slice(0, 200);
}
