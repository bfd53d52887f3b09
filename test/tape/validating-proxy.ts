import { createRequire } from 'node:module';
import type { PlayedOnWire } from './player.ts';

interface Diagnostic {
  message: string;
  path?: readonly (string | number)[];
}

interface Validated {
  validations: { input: readonly Diagnostic[]; output: readonly Diagnostic[] };
}

interface PrismHttp {
  getHttpOperationsFromSpec(document: object): Promise<object[]>;
  createInstance(settings: object, components: object): Prism;
}

/** What it answers with is lazy, and either a failure (`left`) or not. */
interface Prism {
  request(input: object, operations: readonly object[]): () => Promise<{ left?: Error; right?: Validated }>;
}

/** What a proxy says of an answer: nothing, if the document has it. */
export type ValidatingProxy = (played: PlayedOnWire) => Promise<string[]>;

/**
 * Prism as a proxy that checks answers against a document, by its own router and validator. What it forwards has been played
 * already: its own forwarder follows redirects, so it would never see the answers that are some.
 */
export async function createValidatingProxy(folder: string, document: object): Promise<ValidatingProxy> {
  const { createInstance, getHttpOperationsFromSpec } = createRequire(import.meta.url)(folder) as PrismHttp;
  const operations = await getHttpOperationsFromSpec(document);
  const settings = {
    isProxy: true,
    upstream: new URL('http://127.0.0.1'),
    validateRequest: false,
    checkSecurity: false,
    validateResponse: true,
    // Violations are reported, and the answer passes.
    errors: false,
    mock: { dynamic: false },
  };
  return async ({ exchange, body, path, headers }) => {
    const output = { statusCode: exchange.answer.status, headers, body: body ?? '' };
    const forward = () => () => async () => ({ _tag: 'Right', right: output });
    const { pathname } = new URL(path, 'http://127.0.0.1');
    const input = { method: exchange.method.toLowerCase(), url: { path: pathname }, headers: {} };
    const { left, right } = await createInstance(settings, { logger, forward }).request(input, operations)();
    if (!right) throw new Error(`Prism could not judge "${exchange.name}"`, { cause: left });
    const found = [...right.validations.input, ...right.validations.output];
    return found.map(({ message, path: place = [] }) => `"${exchange.name}": ${place.join('.')} ${message}`);
  };
}

const silent = () => {};
const logger = { info: silent, warn: silent, error: silent, debug: silent, child: () => logger };
