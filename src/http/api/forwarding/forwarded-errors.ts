import type { CompiledOperation, ErrorFacts, Operation } from '@dateline/versions';
import { catalogue, isErrorCode } from '../../../errors/catalogue.ts';
import { isObject } from './json-in.ts';

const DETAIL_LENGTH_MAX = 500;

/** An error of the upstream in the version of the caller. What that version does not know becomes what its contract has. */
export function forwardedError(
  answer: ErrorFacts,
  { compiled, head }: { compiled: CompiledOperation; head: Operation },
): ErrorFacts {
  const inHead = asKnown(answer, head);
  return asKnown(compiled.downgradeError(inHead), compiled.operation);
}

/** The facts of an error answer: its code and text, as the usual shapes of errors have them. */
export function errorFactsOf(status: number, body: unknown): ErrorFacts {
  const members = isObject(body) ? body : {};
  const firstText = (...names: string[]): string | undefined =>
    names
      .map((name) => members[name])
      .find((value): value is string => typeof value === 'string' && value !== '');
  return {
    status,
    code: firstText('code', 'error') ?? '',
    detail: (firstText('detail', 'message', 'error_description', 'title') ?? '').slice(0, DETAIL_LENGTH_MAX),
  };
}

function asKnown({ status, code, detail }: ErrorFacts, { errors }: Operation): ErrorFacts {
  const codes = errors[status];
  if (codes?.includes(code)) return worded({ status, code, detail });
  // What it says of its own failures is not for callers, unless its contract has it.
  if (status >= 500) return worded({ ...(failures[status] ?? FAILED), detail: '' });
  const [usual] = codes ?? [];
  return worded(
    usual === undefined ? { status: 400, code: 'invalid_request', detail } : { status, code: usual, detail },
  );
}

const FAILED = { status: 502, code: 'upstream_failed' };
const failures: Readonly<Record<number, Omit<ErrorFacts, 'detail'>>> = {
  503: { status: 503, code: 'upstream_unavailable' },
  504: { status: 504, code: 'upstream_timeout' },
};

function worded({ status, code, detail }: ErrorFacts): ErrorFacts {
  const text = isErrorCode(code) ? catalogue[code].text : 'The request was refused.';
  return { status, code, detail: detail || text };
}
