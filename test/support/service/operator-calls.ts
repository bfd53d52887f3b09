import type { OpenApiDocument } from '@dateline/versions';
import { expect } from 'vitest';
import type { EnvironmentName } from '../../../src/environments/environment.ts';
import { answered } from '../run/answered.ts';
import {
  answerProblems,
  type DocumentedOperation,
  documentedOperations,
  operationFor,
} from './operator-document.ts';
import type { TestService } from './test-service.ts';

interface Written {
  audit_log: {
    id: string;
    at: Date;
    actor_type: string;
    actor_id: string | null;
    action: string;
    client_id: string | null;
    user_id: string | null;
    organization_id: string | null;
    reason: string | null;
    details: Record<string, unknown>;
  };
  occurrences: { id: string; type: string; organization_ids: string[]; data: Record<string, unknown> };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
type Answered = any;

/** Calls of an operator to the service, and their audit entries. Every answer is held to the document of the operator API. */
export function operatorCalls(service: TestService, environment: EnvironmentName = 'sandbox') {
  let operations: Promise<DocumentedOperation[]> | undefined;

  async function readDocument(): Promise<DocumentedOperation[]> {
    const response = await service.call(environment, '/operator/openapi.json');
    return documentedOperations((await response.json()) as OpenApiDocument);
  }

  async function ask(method: string, path: string, body?: unknown) {
    operations ??= readDocument();
    const operation = operationFor(await operations, method, path);
    const response = await service.operate(environment, path, { method, body });
    const text = await response.text();
    const contentType = response.headers.get('content-type');
    if (operation)
      expect(answerProblems(operation, { status: response.status, contentType, text })).toEqual([]);
    const answer = {
      status: response.status,
      text,
      body: (text === '' ? null : JSON.parse(text)) as Answered,
    };
    return answered(answer, `${method} ${path}`);
  }

  async function createClient(change: Readonly<Record<string, unknown>> = {}): Promise<Answered> {
    const organization = await ask('POST', '/operator/organizations', { name: 'Clients' });
    const { status, body, text } = await ask('POST', '/operator/clients', {
      organization_id: organization.body.id,
      name: 'Made',
      kind: 'confidential',
      ...change,
    });
    if (status !== 201) throw new Error(text);
    return body;
  }

  return {
    ask,
    get: (path: string) => ask('GET', path),
    post: (path: string, body: unknown = {}) => ask('POST', path, body),
    createClient,
    async audit(clientId: string) {
      const database = await service.database(environment);
      const log = database.tables<Written>().selectFrom('audit_log').selectAll();
      return log.where('client_id', '=', clientId).orderBy('at').orderBy('id').execute();
    },
    async lastAudit() {
      const database = await service.database(environment);
      const log = database.tables<Written>().selectFrom('audit_log').selectAll();
      return log.orderBy('at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
    },
    async occurrences(type: string) {
      const database = await service.database(environment);
      return database
        .tables<Written>()
        .selectFrom('occurrences')
        .selectAll()
        .where('type', '=', type)
        .execute();
    },
  };
}
