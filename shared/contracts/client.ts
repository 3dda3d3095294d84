import type { Operation, OutputOf, RequestOf } from './operation.ts';
import type { Problem } from './fields.ts';

/** A refused or failed request, as the service worded it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Seconds after which to come back, as the answer said; null when it did not. */
  readonly retryAfter: number | null;
  /** All reasons, where the service has told several. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(
    status: number,
    problem: { detail: string; code: string; request_id: string | null; errors?: Problem['errors'] },
    retryAfter: number | null = null,
  ) {
    super(problem.detail);
    this.status = status;
    this.code = problem.code;
    this.requestId = problem.request_id;
    this.retryAfter = retryAfter;
    this.errors = problem.errors ?? [];
  }
}

export interface CallOptions {
  /** @default '' (same origin) */
  readonly baseUrl?: string;
  readonly signal?: AbortSignal;
  /** Beside those that every call has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the requests of a program that is no browser. @default the platform's */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Path and query of an operation for this input; what is left over is the body. */
function addressOf(
  operation: Operation,
  input: Record<string, unknown>,
): { path: string; body: Record<string, unknown> } {
  const rest = { ...input };
  const path = operation.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(textOf(value));
  });
  if (operation.method !== 'GET') return { path, body: rest };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, textOf(value));
  return { path: query.size > 0 ? `${path}?${query}` : path, body: {} };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Calls an operation of the service and returns its parsed answer; throws `RequestError` for
 * refusals. Operations with a file are sent by `uploadFile` of the caller, who wants progress.
 */
export async function call<O extends Operation>(
  operation: O,
  input: RequestOf<O>,
  options: CallOptions = {},
): Promise<OutputOf<O>> {
  const { path, body } = addressOf(operation, input as Record<string, unknown>);
  const headers: Record<string, string> = { ...options.headers, accept: 'application/json' };
  const init: RequestInit = { method: operation.method, headers, credentials: 'same-origin' };
  if (operation.method !== 'GET') {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  if (options.signal) init.signal = options.signal;
  const response = await (options.fetch ?? fetch)((options.baseUrl ?? '') + path, init);
  if (!response.ok) throw await problemOf(response);
  if (operation.output === null) return undefined as OutputOf<O>;
  const answer: unknown = await response.json();
  // Pages have no schemas (docs/decisions/0003): what the service answers it has checked itself.
  const { output } = operation as Partial<Pick<Operation, 'output'>>;
  return (output ? output.parse(answer) : answer) as OutputOf<O>;
}

/** The service's own words for a failed response, or the status when it sent none. */
export async function problemOf(response: Response): Promise<RequestError> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  if (isProblem(body)) return new RequestError(response.status, body, retryAfter);
  const detail = `The service answered ${response.status}`;
  return new RequestError(response.status, { detail, code: 'unknown', request_id: null }, retryAfter);
}

/** Of a `Retry-After`, which gives seconds or a date. */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}

/** By hand, since a gateway or proxy before the service answers in words of its own. */
function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string' && 'code' in body
  );
}
