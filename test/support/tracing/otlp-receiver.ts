import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** A span, as the receiver of traces has it. */
export interface ReceivedSpan {
  name: string;
  /** 1 is internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Empty where it is the first of its trace. */
  parentId: string;
  links: readonly string[];
  /** Those of its process too. */
  attributes: Readonly<Record<string, string | number>>;
  isFailed: boolean;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** The only span of this name. Throws where there is another number of them. */
  span(name: string): ReceivedSpan;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: unknown; boolValue?: boolean };
}
interface ExportedSpan {
  name: string;
  kind: number;
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentSpanId?: Uint8Array | null;
  links: { spanId: Uint8Array }[];
  attributes: Attribute[];
  status?: { code: number };
}
interface ExportRequest {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ExportedSpan[] }[] }[];
}

// The published definitions of the protocol, which no current package of the exporter has any more.
const { ExportTraceServiceRequest } = createRequire(import.meta.url)(
  '../../../node_modules/otlp-protobuf/build/src/generated/root.js',
).opentelemetry.proto.collector.trace.v1;

/** A receiver of traces over HTTP, which reads them as the protocol is published. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isProtobuf = request.headers['content-type'] === 'application/x-protobuf';
    if (request.url !== '/v1/traces' || !isProtobuf) return response.writeHead(400).end();
    spans.push(...read(ExportTraceServiceRequest.decode(Buffer.concat(chunks))));
    return response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    span(name) {
      const found = spans.filter((span) => span.name === name);
      if (found.length === 1 && found[0]) return found[0];
      throw new Error(
        `${found.length} spans are called ${name}; there are ${spans.map((span) => span.name).join(', ')}`,
      );
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function read({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: span.kind,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentId: hex(span.parentSpanId),
        links: span.links.map(({ spanId }) => hex(spanId)),
        attributes: Object.fromEntries([...resource.attributes, ...span.attributes].map(pair)),
        isFailed: span.status?.code === ERROR,
      })),
    ),
  );
}

const ERROR = 2;
const hex = (bytes?: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

function pair({ key, value }: Attribute): [string, string | number] {
  return [key, value.stringValue ? value.stringValue : Number(value.intValue ?? value.boolValue)];
}
