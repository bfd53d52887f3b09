import { onTestFinished } from 'vitest';
import type { Outcome } from '../../../src/webhooks/sending/outcome.ts';
import { createSender, type SenderOptions } from '../../../src/webhooks/sending/sender.ts';
import type { TargetRules } from '../../../src/webhooks/sending/target-rules.ts';

export const productionRules: TargetRules = { ports: [443], loopback: false };
export const loopbackRules: TargetRules = { ports: [443], loopback: true };

export const deliveryBody = Buffer.from(
  '{"type":"product.created","data":{"secret":"for the receiver only"}}',
);

export interface TestSender {
  send(url: string): Promise<Outcome>;
  stop(): void;
  close(): void;
}

/** A sender that closes with its test. By default it may send to this machine, and queries no name server. */
export function startSender(options: Partial<SenderOptions> = {}): TestSender {
  const sender = createSender({ rules: loopbackRules, lookup: async () => ['127.0.0.1'], ...options });
  onTestFinished(() => sender.close());
  const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
  return {
    send: (url) => sender.send({ url, headers, body: deliveryBody }),
    stop: () => sender.stop(),
    close: () => sender.close(),
  };
}
