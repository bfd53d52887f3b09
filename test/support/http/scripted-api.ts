import type { IncomingHttpHeaders } from 'node:http';
import { startReceiver } from '../webhooks/receivers.ts';

export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sends no answer at all. */
  silent?: boolean;
}

export interface ScriptedCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An HTTP server that answers as scripted, in the requested version, and records the calls. */
export async function startScriptedApi(answer: (call: ScriptedCall, index: number) => Scripted) {
  const calls: ScriptedCall[] = [];
  const receiver = await startReceiver({
    answer(request, response) {
      const received = receiver.requests.at(-1);
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: String(received?.body ?? ''),
      };
      calls.push(call);
      const { status = 200, headers = {}, body = {}, silent = false } = answer(call, calls.length - 1);
      if (silent) return;
      const version = String(request.headers['service-version']);
      response.writeHead(status, {
        'content-type': 'application/json',
        'service-version': version,
        ...headers,
      });
      response.end(status === 204 ? undefined : JSON.stringify(body));
    },
  });
  return { baseUrl: `http://127.0.0.1:${receiver.port}`, calls };
}
