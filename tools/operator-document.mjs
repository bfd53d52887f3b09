import { withService } from './with-service.mjs';

/** The document of the operator API, as a service serves it that was started for this alone. */
export function operatorDocument() {
  return withService(async ({ url }) => (await fetch(`${url}/operator/openapi.json`)).json());
}
