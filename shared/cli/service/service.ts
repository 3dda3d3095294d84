import { call, type Operation, type OutputOf, problemOf, RequestError, type RequestOf } from '@svc/contracts';
import { Deadline } from './deadline.ts';
import { connectionError, ConnectionError, CredentialsError } from './service-error.ts';

/** Where a service is and what one may do there by. */
export interface Credentials {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Whether evidence and token may go over plain HTTP to other machines. */
  readonly insecureHttp: boolean;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string;
}

/** An ordinary request is answered within this time or not at all. */
const answerMs = 60_000;
/** Bytes of a file must get on, and their end be answered, within this time. */
const silenceMs = 120_000;

/**
 * A service as the holder of a token sees it. Throws `RequestError` for refusals, `CredentialsError` for
 * those of the token, `ConnectionError` when no answer came, and the signal's reason.
 */
export class Service {
  readonly url: string;
  readonly #credentials: Credentials;

  constructor(credentials: Credentials) {
    this.url = credentials.url;
    this.#credentials = credentials;
  }

  async call<O extends Operation>(operation: O, input: RequestOf<O>, options: CallOptions): Promise<OutputOf<O>> {
    const { signal, idempotencyKey } = options;
    const headers = {
      authorization: `Bearer ${this.#credentials.token}`,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const deadline = new Deadline(signal, answerMs);
    try {
      return await answered(this.url, signal, () =>
        call(operation, input, { baseUrl: this.url, headers, signal: deadline.signal, fetch: send }),
      );
    } catch (error) {
      throw error instanceof RequestError ? this.#refusal(error) : error;
    } finally {
      deadline.end();
    }
  }

  /** The text that an operation without input answers with. */
  async text({ path }: Pick<Operation, 'path'>, signal: AbortSignal): Promise<string> {
    const deadline = new Deadline(signal, answerMs);
    const headers = { authorization: `Bearer ${this.#credentials.token}` };
    try {
      return await answered(this.url, signal, async () => {
        const response = await send(`${this.url}${path}`, { headers, signal: deadline.signal });
        if (!response.ok) throw await problemOf(response);
        return response.text();
      });
    } catch (error) {
      throw error instanceof RequestError ? this.#refusal(error) : error;
    } finally {
      deadline.end();
    }
  }

  /** Sends bytes to an address that the service has named, which knows them by itself: the token is not for it. */
  async put(
    target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    content: { readonly bytes: number; chunks(): AsyncIterable<Uint8Array> },
    signal: AbortSignal,
  ): Promise<void> {
    const url = addressAt(this.url, target.url);
    refusePlainHttp(url, this.#credentials.insecureHttp);
    const deadline = new Deadline(signal, silenceMs);
    const body = new SentBody(content.chunks(), () => deadline.refresh());
    try {
      await answered(new URL(url).origin, signal, async () => {
        const request: RequestInit & { duplex: 'half' } = {
          method: 'PUT',
          // With any other value Node.js keeps all that it has sent, for a redirection.
          redirect: 'error',
          headers: { ...target.headers, 'content-length': String(content.bytes) },
          body: content.bytes === 0 ? '' : body.stream,
          signal: deadline.signal,
          // Node.js wants to be told that the answer comes after the body.
          duplex: 'half',
        };
        const response = await fetch(url, request);
        if (!response.ok) throw await problemOf(response);
        await response.body?.cancel();
      });
    } catch (error) {
      throw body.failure ?? error;
    } finally {
      deadline.end();
    }
  }

  #refusal(error: RequestError): Error {
    if (error.status === 401) {
      return new CredentialsError(`${this.url} refuses the token: ${error.message}. See svc login`, { cause: error });
    }
    if (error.code !== 'missing_scope') return error;
    return new CredentialsError(`The token may not do this at ${this.url}: ${error.message}`, { cause: error });
  }
}

async function answered<T>(place: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError || error instanceof ConnectionError) throw error;
    if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
      const message = `${place}: it answers, but not as this version of svc knows it. Is it the right address?`;
      throw new ConnectionError(message, { cause: error, isFinal: true });
    }
    throw connectionError(place, error);
  }
}

/**
 * Where a service's upload is sent. A service behind a proxy may not know by which scheme and below
 * which path it is reached; the one that was named is right.
 */
function addressAt(service: string, target: string): string {
  const { host, pathname, search } = new URL(target, service);
  return host === new URL(service).host ? `${service}${pathname}${search}` : target;
}

/** A redirection is never followed: the token and the file are for the address that was named. */
async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  if (response.status < 300 || response.status > 399) return response;
  const to = response.headers.get('location') ?? 'elsewhere';
  const message = `${new URL(url).origin}: it sends one to ${to}. Use that address if it is the right one`;
  throw new ConnectionError(message, { isFinal: true });
}

/** Bytes on their way, read as fast as they go. */
class SentBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Why the bytes could not be read; undefined when they could. */
  failure: unknown;

  constructor(chunks: AsyncIterable<Uint8Array>, moved: () => void) {
    const source = chunks[Symbol.asyncIterator]();
    this.stream = new ReadableStream(
      {
        pull: async (controller) => {
          moved();
          try {
            const next = await source.next();
            if (next.done) controller.close();
            else controller.enqueue(next.value);
          } catch (error) {
            this.failure = error;
            throw error;
          }
        },
        cancel: async () => void (await source.return?.()),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Keeps evidence and token from networks that can read them; throws a `CredentialsError`. */
export function refusePlainHttp(url: string, insecureHttp: boolean): void {
  const { protocol, hostname, origin } = new URL(url);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  if (protocol === 'https:' || isLoopback || insecureHttp) return;
  const message = `${origin} is plain http, which others on the way can read. Use https, or --insecure-http to send the token and the files nevertheless`;
  throw new CredentialsError(message);
}
