import type { Json, Sample } from '../contract/change.ts';

export interface SampleText {
  /** Its kind, in a few words. */
  caption: string;
  /** As it goes over the wire. */
  text: string;
}

/** A sample as people read it. */
export function sampleText(sample: Sample): SampleText {
  if ('request' in sample) return { caption: 'request', text: requestText(sample) };
  if ('answerTo' in sample)
    return { caption: `answer to ${sample.answerTo}, ${sample.status}`, text: jsonText(sample.body) };
  if ('event' in sample)
    return { caption: `event ${sample.event}`, text: jsonText({ type: sample.event, data: sample.data }) };
  return { caption: `rule for ${sample.field} in ${sample.ruleOf}`, text: jsonText(sample.schema) };
}

type RequestSample = Extract<Sample, { request: string }>;

function requestText({ request, scopes, clientAuthentication, body }: RequestSample): string {
  const head = [
    request,
    ...(scopes ? [`Authorization: Bearer ${tokenText(scopes)}`] : []),
    ...(clientAuthentication?.includes('client_secret_basic') ? ['Authorization: Basic <the client>'] : []),
  ];
  return [head.join('\n'), ...(body ? [jsonText(body)] : [])].join('\n\n');
}

function tokenText(scopes: readonly string[]): string {
  return scopes.length === 0 ? '<any token>' : `<token with ${scopes.join(' ')}>`;
}

function jsonText(value: Json): string {
  return JSON.stringify(value, null, 2);
}
