import { Readable } from 'node:stream';
import { compileApi, type Operation } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { createAnswerReader } from '../../src/http/api/forwarding/forwarded-answers.ts';
import {
  documentOf,
  older,
  oldest,
  replaceCentsWithPrice,
  sourceOf,
} from '../support/contracts/price-api.ts';

describe('a large answer of an upstream', () => {
  const api = compileApi(sourceOf([replaceCentsWithPrice(10)]));
  const head = api.get(older)?.operations.get('orders:create')?.operation as Operation;
  const read = (version: typeof older) => {
    const compiled = api.get(version)?.operations.get('orders:create');
    if (!compiled) throw new Error(`${version} has no such operation`);
    return createAnswerReader({ compiled, head, isStrict: true, onViolation() {} });
  };
  const asked = { params: {}, query: {}, headers: {}, body: {}, command: {} };
  const answer = () => ({
    status: 201,
    headers: { 'content-type': 'application/json' },
    stream: Readable.from(['{}']),
  });

  it('is refused where a version has to translate it', () => {
    expect(documentOf(oldest)).not.toEqual(documentOf(older));
    expect(() => read(oldest)(answer(), asked)).toThrowError(
      expect.objectContaining({ code: 'upstream_contract' }),
    );
  });

  it('is passed on as it comes in where nothing has to', () => {
    const large = answer();
    expect(read(older)(large, asked)).toMatchObject({ status: 201, body: large.stream });
  });
});
