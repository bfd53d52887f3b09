import type { Change, CompiledVersion, EventKind, OpenApiDocument, Operation } from '@dateline/versions';
import { partIn, partsIn, textsIn } from '../document/parts.ts';

// Our example resource is there to be tried, and gives way to an API of one's own.
const GROUP = 'products';
const KINDS = 'product.';

export function isExample(part: Operation | EventKind): boolean {
  return 'kind' in part ? part.kind.startsWith(KINDS) : part.groups.includes(GROUP);
}

/** True if a change is about our example resource only. */
export function isAboutExample({ touches }: Change): boolean {
  return touches.every((touch) => touch.startsWith(`${GROUP}:`) || touch.startsWith(KINDS));
}

/** Drops the samples about our example resource; none may remain. */
export function withoutExampleSamples(change: Change): Change {
  const others = change.examples.filter((shown) => !/\/v1\/products|"product\./.test(JSON.stringify(shown)));
  // Release notes take any number; only authors owe one.
  return { ...change, examples: others as unknown as Change['examples'] };
}

/** One version of our API without its example resource. */
export function withoutExample(version: CompiledVersion): CompiledVersion {
  const { contract, document, operations, validateEvent } = version;
  return {
    ...version,
    contract: {
      ...contract,
      operations: contract.operations.filter((operation) => !isExample(operation)),
      events: contract.events.filter((event) => !isExample(event)),
    },
    document: documentWithout(document),
    operations: new Map([...operations].filter(([, { operation }]) => !isExample(operation))),
    validateEvent: new Map([...validateEvent].filter(([kind]) => !kind.startsWith(KINDS))),
  };
}

function documentWithout(document: OpenApiDocument): OpenApiDocument {
  const paths = partsIn(document, 'paths');
  const others = Object.entries(paths).filter(
    ([path]) =>
      !Object.values(partsIn(paths, path)).some((operation) => textsIn(operation, 'tags').includes(GROUP)),
  );
  const webhooks = Object.entries(partIn(document, 'webhooks')).filter(([kind]) => !kind.startsWith(KINDS));
  return {
    ...document,
    paths: Object.fromEntries(others),
    webhooks: Object.fromEntries(webhooks),
  };
}
