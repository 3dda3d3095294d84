import type { OutboundFailure } from '@svc/domain';

/** What a request to a host of somebody else is for; each has its own policy (service 5.7). */
export const outboundPurposes = ['enrichment', 'webhook', 'ai', 'rule_list', 'rule_pack'] as const;
export type OutboundPurpose = (typeof outboundPurposes)[number];

export interface OutboundRequest {
  readonly purpose: OutboundPurpose;
  /** Absolute, http or https. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Those that say where a request goes or how it is framed are left out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything, from the look-up of the name to the last byte. @default the policy's */
  readonly timeoutMs?: number;
  /** Breaks off; the request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What came back, whatever its status: redirects are not followed. */
export interface OutboundResponse {
  readonly status: number;
  /** Where a redirect leads, absolute; null where it leads nowhere. */
  readonly location: string | null;
  /** Of the version that came, for asking later whether there is another; null without one. */
  readonly etag: string | null;
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | null;
  /** As it arrives, never decompressed; empty where the policy reads none. Throws an {@link OutboundError}. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Requests to hosts that users and administrators name, and that may want to reach what they must not. */
export interface OutboundHttp {
  /**
   * Sends a request, and closes its connection when `use` is done with the answer. Throws an
   * {@link OutboundError}, and what `use` throws.
   */
  send<T>(request: OutboundRequest, use: (response: OutboundResponse) => T | Promise<T>): Promise<T>;
  /** Throws the {@link OutboundError} of an address that can be refused without asking anybody; for saving it. */
  check(purpose: OutboundPurpose, url: string): void;
}

export { type OutboundFailure } from '@svc/domain';

/** Why a request came to nothing, in the service's own words: host and reason, never a path, header or body. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundFailure;

  constructor(code: OutboundFailure, message: string) {
    super(message);
    this.code = code;
  }
}
