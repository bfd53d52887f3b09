import type { Finding } from '../../doctor/examine.ts';
import type { App } from '../app/create-app.ts';

/** What `dateline doctor` cannot see from outside. */
export function doctorRoutes(app: App, examine: () => Promise<Finding[]>): void {
  app.get('/operator/doctor', async () => ({ items: await examine(), pagination: { next_cursor: null } }));
}
