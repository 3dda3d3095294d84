import type { Log } from '@svc/application/ports/log.ts';
import { isApiRequest, matchOperation, operations, type Area, type Operation } from '@svc/contracts';
import type { HttpHandler, HttpResult } from '@svc/functions/http-event.ts';
import { incomingForm, type UploadPorts } from '@svc/functions/incoming-form.ts';
import { hasFields, ordinaryBodyBytes } from '@svc/functions/request-body.ts';
import { securityHeaders } from '@svc/functions/middleware/response-headers.ts';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { clientReader, type Client } from './client.ts';
import { refuseMalformed } from './malformed.ts';
import { limitTime, usualPatience, type Patience } from './patience.ts';
import { incomingContent, invite, readBody, targetOf, toEvent, type Target } from './http-request.ts';
import { isReady, starting } from './readiness.ts';
import { hostCheck, unservedHost } from './served-hosts.ts';
import type { Site } from './static-files.ts';

export interface Gateway extends UploadPorts {
  readonly handlers: Readonly<Record<Area, HttpHandler>>;
  readonly site: Site;
  /** Pages about the API, while it is being developed against. */
  readonly apiDocs?: Site | null;
  readonly log: Log;
  /** Requests that come before it resolves wait for it; those are answered 503 for which it rejects. */
  readonly ready: () => Promise<unknown>;
  /** @default usualPatience */
  readonly patience?: Patience;
}

const table: readonly Operation[] = Object.values(operations);

/** The HTTP server of the embedded and self-hosted modes; it knows no operation by name. */
export function createGateway(gateway: Gateway): Server {
  const clientOf = clientReader(gateway.deployment.http.trustedProxies);
  const isServed = hostCheck(gateway.deployment.http.servedHosts);
  const server = createServer({
    // An upload may take hours; what hangs is found by its silence.
    requestTimeout: 0,
    headersTimeout: 30_000,
    keepAliveTimeout: 65_000,
  });
  server.timeout = (gateway.patience ?? usualPatience).idleMs;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A client that goes away is no news.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const client = clientOf(request);
    // Load balancers ask for health by what name they like.
    const isRefused = !isServed(request, client) && targetOf(request).path !== '/health';
    const answered = isRefused ? refuse(gateway, request, response) : answer(gateway, client, request, response);
    answered.catch((error: unknown) => {
      if (!request.destroyed) gateway.log.error('the gateway failed', { error });
      request.destroy();
    });
  };
  refuseMalformed(server, securityHeaders(gateway.deployment));
  return server.on('request', listener).on('checkContinue', listener);
}

async function answer(
  gateway: Gateway,
  client: Client,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = targetOf(request);
  const addressed = {
    method: request.method ?? 'GET',
    path: target.path,
    accept: request.headers.accept ?? '',
  };
  const isFile =
    (await gateway.apiDocs?.send(target.path, request, response)) ||
    (!isApiRequest(addressed) && (await gateway.site.send(target.path, request, response)));
  if (!isFile) await send(await callFunction(gateway, request, response, target, client), response);
  await takeRest(gateway, request);
}

async function refuse(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await send(unservedHost(request, securityHeaders(gateway.deployment)), response);
  await takeRest(gateway, request);
}

/** Closing at once on a sender would make it drop the answer unread. */
async function takeRest({ patience = usualPatience }: Gateway, request: IncomingMessage): Promise<void> {
  if (!request.complete && !request.destroyed) await drain(request, patience);
}

/** Calls the function of the area that has the address; any of them knows what to say to an unknown one. */
async function callFunction(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  client: Client,
): Promise<HttpResult> {
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const { found, others } = matchOperation(table, method, target.path);
  const area = (found?.operation ?? others[0])?.area ?? 'system';
  const handler = gateway.handlers[area];
  if (!(await isReady(gateway))) {
    // What is not well, it can say even so.
    const report = area === 'system' ? await handler(toEvent(request, target, client, {})) : null;
    return report && report.statusCode !== 200 ? report : starting();
  }
  const { bodyLimit, file, raw } = found?.operation ?? {};
  const form = file === true && !hasFields(request);
  limitTime(request, raw === true || (form && bodyLimit === undefined), gateway.patience ?? usualPatience);
  if (raw) return handler(toEvent(request, target, client, { content: incomingContent(request, response) }));
  if (form) {
    const open = (): IncomingMessage => {
      invite(request, response);
      return request;
    };
    const { headers } = request;
    return handler(toEvent(request, target, client, { form: incomingForm(gateway, { headers, open }) }));
  }
  const body = found?.operation.body ? await readBody(request, response, bodyLimit ?? ordinaryBodyBytes) : undefined;
  return handler(toEvent(request, target, client, body ? { body } : {}));
}

async function send(result: HttpResult, response: ServerResponse): Promise<void> {
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  response.statusCode = result.statusCode ?? 200;
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  if (result.cookies?.length) response.setHeader('set-cookie', result.cookies);
  if (result.content) {
    if (response.req.method === 'HEAD') response.end();
    else await pipeline(result.content, response);
    return;
  }
  if (response.statusCode !== 204) response.setHeader('content-length', body.length);
  response.end(body);
}

async function drain(request: IncomingMessage, { lingerMs }: Patience): Promise<void> {
  const deadline = setTimeout(() => request.destroy(), lingerMs);
  request.resume();
  await once(request, 'close').catch(() => undefined);
  clearTimeout(deadline);
}

/** Listens, or rejects with the system's error. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

/** Lets running requests end for a while, then closes their connections. */
export async function stopServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(deadline);
}
