import {
  OutboundError,
  type OutboundHttp,
  type OutboundPurpose,
  type OutboundRequest,
  type OutboundResponse,
} from '@svc/application/ports/outbound-http.ts';
import { Client, type Dispatcher } from 'undici';
import { type Network, systemNetwork } from './network.ts';
import type { OutboundPolicy } from './policies.ts';
import { literalOf, refuseHost, refuseUrl, type Target, targetOf } from './target.ts';

/** Where a request goes and how, or how it is framed: not for callers to say (resolved-platform 19). */
const ownHeaders =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|proxy-.*|expect|cookie|accept-encoding)$/;
const longestConnectMs = 10_000;

interface Answer {
  readonly client: Client;
  readonly response: Dispatcher.ResponseData;
}

/** One request on its way. */
interface Exchange {
  readonly request: OutboundRequest;
  readonly policy: OutboundPolicy;
  readonly target: Target;
  readonly timeoutMs: number;
  /** Aborted at the deadline, or by the caller; the reason is what to throw. */
  readonly signal: AbortSignal;
}

/**
 * The guard of service 5.7: the name is resolved once, every address it has is judged, and the
 * connection goes to one of those. Nothing is retried but a connection that was never made.
 */
export class UndiciOutboundHttp implements OutboundHttp {
  readonly #policies: Readonly<Record<OutboundPurpose, OutboundPolicy>>;
  readonly #network: Network;

  constructor(policies: Readonly<Record<OutboundPurpose, OutboundPolicy>>, network: Network = systemNetwork) {
    this.#policies = policies;
    this.#network = network;
  }

  check(purpose: OutboundPurpose, url: string): void {
    refuseUrl(url, this.#policies[purpose].publicOnly);
  }

  async send<T>(request: OutboundRequest, use: (response: OutboundResponse) => T | Promise<T>): Promise<T> {
    const policy = this.#policies[request.purpose];
    const target = targetOf(request.url);
    const timeoutMs = request.timeoutMs ?? policy.timeoutMs;
    const { signal, release } = deadline(target, timeoutMs, request.signal);
    const exchange = { request, policy, target, timeoutMs, signal };
    try {
      const { client, response } = await this.#answer(exchange, await this.#addresses(exchange));
      // What breaks off while nobody reads is nobody's error.
      response.body.on('error', () => undefined);
      try {
        return await use({
          status: response.statusCode,
          location: locationOf(target, response),
          etag: etagOf(response),
          retryAfter: [response.headers['retry-after']].flat()[0] ?? null,
          body: capped(exchange, response),
        });
      } finally {
        abandon(client);
      }
    } finally {
      release();
    }
  }

  /** All addresses of the host, none of them refused. */
  async #addresses({ policy, signal, target }: Exchange): Promise<readonly string[]> {
    const literal = literalOf(target);
    refuseHost(target, literal, policy.publicOnly);
    if (literal.length > 0) return literal;
    const found = await before(signal, this.#network.resolve(target.hostname)).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new OutboundError('unresolved', `${target.hostname} has no address${codeOf(error)}`);
    });
    if (found.length === 0) throw new OutboundError('unresolved', `${target.hostname} has no address`);
    refuseHost(target, found, policy.publicOnly);
    return found;
  }

  /** The head of the answer of the first address that takes a connection. */
  async #answer(exchange: Exchange, addresses: readonly string[]): Promise<Answer> {
    const { request, signal, target, timeoutMs } = exchange;
    const connectMs = Math.min(longestConnectMs, Math.ceil(timeoutMs / addresses.length));
    let failure: unknown;
    for (const address of addresses) {
      let connected = false;
      const connect = this.#network.connector(address, connectMs);
      const client = new Client(target.url.origin, {
        // The deadline is over all of it.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: (options, done) =>
          connect(options, (...result) => {
            connected ||= result[0] === null;
            done(...result);
          }),
      });
      try {
        const { pathname, search } = target.url;
        const sent = { method: request.method, path: pathname + search, headers: headersOf(request), signal };
        // The client itself heeds the signal only once it is connected.
        const response = await before(signal, client.request({ ...sent, body: request.body ?? null }));
        return { client, response };
      } catch (error) {
        failure = error;
        abandon(client);
      }
      if (connected || signal.aborted) break;
    }
    throw failed(exchange, failure);
  }
}

/** Not awaited: a connection still being made would keep its caller until its own time is over. */
function abandon(client: Client): void {
  void client.destroy();
}

/** A signal that fires when the time is over or the caller has had enough. */
function deadline(
  { hostname }: Target,
  timeoutMs: number,
  given: AbortSignal | undefined,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const late = new OutboundError('timeout', `${hostname} did not answer within ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const giveUp = (): void => controller.abort(given?.reason);
  if (given?.aborted === true) giveUp();
  given?.addEventListener('abort', giveUp);
  const release = (): void => {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
  };
  return { signal: controller.signal, release };
}

/** The promise's outcome, or the signal's reason if that comes first. */
async function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

function headersOf({ headers = {} }: OutboundRequest): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const allowed = named.filter(([name]) => !ownHeaders.test(name));
  return { 'user-agent': 'svc', ...Object.fromEntries(allowed), 'accept-encoding': 'identity' };
}

function locationOf({ url }: Target, { statusCode, headers }: Dispatcher.ResponseData): string | null {
  const location = statusCode >= 300 && statusCode < 400 ? [headers['location']].flat()[0] : undefined;
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : null;
}

/** As it came, if it is one that could be sent back. */
function etagOf({ headers }: Dispatcher.ResponseData): string | null {
  const etag = [headers['etag']].flat()[0];
  return etag !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : null;
}

/** Bytes of the answer, up to the policy's cap. What is compressed could unfold to any size. */
async function* capped(exchange: Exchange, { body, headers }: Dispatcher.ResponseData): AsyncGenerator<Uint8Array> {
  const { maxBytes } = exchange.policy;
  const { hostname } = exchange.target;
  if (maxBytes === 0) return;
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (encoding !== 'identity') {
    throw new OutboundError('compressed', `${hostname} answered compressed, although asked not to`);
  }
  const tooLarge = new OutboundError('too_large', `${hostname} answered with more than ${maxBytes} bytes`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge;
      yield chunk;
    }
  } catch (error) {
    throw error === tooLarge ? tooLarge : failed(exchange, error);
  }
}

/** What to throw for an error of the connection: its system code at most, since texts may quote anything. */
function failed({ signal, target }: Exchange, error: unknown): unknown {
  if (signal.aborted) return signal.reason;
  return new OutboundError('network_error', `No answer from ${target.hostname}${codeOf(error)}`);
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? ` (${code})` : '';
}
