import { AppError } from '@svc/domain';
import type { HttpEvent, IncomingForm } from '@svc/functions/http-event.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from './client.ts';

/** Path and query of a request, undecoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Also of the absolute form, which proxies may send. */
export function targetOf({ url: sent = '/' }: IncomingMessage): Target {
  const url = sent.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/**
 * A request as API Gateway would hand it to a function; HEAD is answered as GET. The body is what
 * `readBody` took, or a form or bytes that are read on demand.
 */
export function toEvent(
  request: IncomingMessage,
  { path, query }: Target,
  { ip, peer, hosts, origin }: Client,
  content: { body?: Buffer; form?: IncomingForm; content?: AsyncIterable<Uint8Array> },
): HttpEvent {
  const { cookie, host: _, ...headers } = request.headersDistinct;
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const now = new Date();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    cookies: (cookie ?? []).flatMap((line) => line.split(';')).map((each) => each.trim()),
    // By a comma and a space, which no single value of Origin or Referer contains.
    headers: { ...joined(Object.entries(headers), ', '), host: hosts.join(', ') },
    queryStringParameters: queryFields(query),
    requestContext: {
      accountId: 'local',
      apiId: 'gateway',
      domainName: request.headers.host ?? '',
      domainPrefix: '',
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: ip,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId: '',
      routeKey: '$default',
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
      origin,
      peer,
      ...(content.form && { form: content.form }),
      ...(content.content && { content: content.content }),
    },
    ...(content.body && { body: content.body.toString('base64') }),
    isBase64Encoded: content.body !== undefined,
  };
}

function queryFields(query: string): Readonly<Record<string, string>> {
  const params = new URLSearchParams(query);
  return joined(
    [...new Set(params.keys())].map((name) => [name, params.getAll(name)]),
    ',',
  );
}

function joined(lists: Iterable<[string, string[] | undefined]>, by: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...lists].map(([name, values]) => [name, (values ?? []).join(by)]));
}

/**
 * Reads a body in memory, but never more than one byte beyond the limit: the handler then refuses it
 * as too large, whatever length was declared.
 */
export async function readBody(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (Number(request.headers['content-length'] ?? 0) > limit) return Buffer.alloc(0);
  invite(request, response);
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit + 1);
}

/** The bytes of a raw body, asked for when they are read; `bad_request` when they end too early. */
export async function* incomingContent(
  request: IncomingMessage,
  response: ServerResponse,
): AsyncGenerator<Uint8Array, void, undefined> {
  invite(request, response);
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new AppError('bad_request', 'The upload ended before it was complete', { cause });
  }
}

/** Tells a client that asked first (`Expect: 100-continue`) to send its body. */
export function invite(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect !== undefined && !response.headersSent) response.writeContinue();
}
