import type { App } from './create-app.ts';
import { readForm } from './read-form.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Lets an app read form bodies; the contract decides which of its operations take one. */
export function takeForms(app: App): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    readForm(body),
  );
}
