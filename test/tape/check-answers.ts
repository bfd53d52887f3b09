import { type CompiledVersion, responseValidators, type Validate } from '@dateline/versions';
import { Compile } from 'typebox/schema';
import { outcomeOf } from './coverage.ts';
import type { Played } from './player.ts';
import type { Step } from './step.ts';

/** Where the answer differs from the one in the script. */
export function unexpectedAnswers(script: readonly Step[], played: readonly Played[]): string[] {
  return played.flatMap(({ exchange, body }, index) => {
    const expected = script[index]?.answers;
    const outcome = outcomeOf(exchange.answer);
    if (outcome === expected) return [];
    return [`"${exchange.name}" answered ${outcome}, and not ${expected}: ${JSON.stringify(body)}`];
  });
}

/** Where an answer violates the contract of its version, to the letter. */
export function forbiddenAnswers(version: CompiledVersion, played: readonly Played[]): string[] {
  const validators = new Map(
    [...version.operations].map(([id, { operation }]) => [id, responseValidators(operation)]),
  );
  return played.flatMap((one) => {
    const validate = validators.get(one.exchange.operation ?? '')?.[one.exchange.answer.status];
    return findingsIn(version, one, validate).map((finding) => `"${one.exchange.name}": ${finding}`);
  });
}

function findingsIn(version: CompiledVersion, { exchange, body }: Played, validate?: Validate): string[] {
  const compiled = version.operations.get(exchange.operation ?? '');
  if (!compiled) return [];
  const { operation } = compiled;
  const { status } = exchange.answer;
  if (validate)
    return [
      ...typeFindings(exchange, operation.responses[status]?.mediaType),
      ...validate(body).map(({ instancePath, message }) => `${instancePath} ${message}`),
    ];
  const outcome = outcomeOf(exchange.answer);
  const listed = (operation.errors[status] ?? []).map((code) => `${status} ${code}`);
  const { mediaType, schema } = operation.errorShape ?? version.contract.errorShape;
  return [
    ...(listed.includes(outcome) ? [] : [`its contract does not list ${outcome}`]),
    ...typeFindings(exchange, mediaType),
    ...(Compile(schema).Check(body) ? [] : [`${JSON.stringify(body)} is no error of this version`]),
  ];
}

function typeFindings({ answer }: Played['exchange'], mediaType: string | undefined): string[] {
  const type = answer.headers['content-type']?.split(';')[0];
  return type === mediaType ? [] : [`its content-type is ${type}, and not ${mediaType}`];
}
