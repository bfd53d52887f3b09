import type { Finding } from '../../doctor/examine.ts';
import type { App } from '../app/create-app.ts';
import { object, oneOf, pageOf, says, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const FindingBody = object({
  check: says(
    oneOf(['database', 'clock', 'keys', 'addresses', 'backups', 'upstream']),
    'What was looked at.',
  ),
  state: says(oneOf(['ok', 'warning', 'problem']), 'A warning can wait; a problem cannot.'),
  says: says(Text, 'What was found, and what to do about it.'),
});

/** What `dateline doctor` cannot see from outside. */
export function doctorRoutes(app: App, examine: () => Promise<Finding[]>): void {
  const operation = operationsOf(app, 'Doctor');

  operation(
    'GET /operator/doctor',
    {
      id: 'examine_service',
      needs: 'viewer',
      summary: 'Look for what is wrong with this node and its database',
      answer: { status: 200, says: 'What was found, all on one page.', body: pageOf(FindingBody) },
    },
    async () => ({ items: await examine(), pagination: { next_cursor: null } }),
  );
}
