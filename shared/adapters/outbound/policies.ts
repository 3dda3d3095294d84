import type { OutboundPurpose } from '@svc/application/ports/outbound-http.ts';
import type { Environment } from '@svc/config';

/** What requests for one purpose may do (service 5.7). */
export interface OutboundPolicy {
  /** Only hosts of the Internet, none of this machine or of a private network. */
  readonly publicOnly: boolean;
  /** Of the answer's body; 0 reads none of it. */
  readonly maxBytes: number;
  /** Where the request names no other. */
  readonly timeoutMs: number;
}

type Settings = Pick<
  Environment,
  | 'AI_REQUIRE_PUBLIC_HOST'
  | 'ENRICHMENT_REQUIRE_PUBLIC_HOST'
  | 'RULE_LIST_FETCH_MAX_BYTES'
  | 'RULE_LIST_FETCH_TIMEOUT_SECONDS'
  | 'RULE_LIST_REQUIRE_PUBLIC_HOST'
  | 'RULE_PACK_FETCH_MAX_BYTES'
  | 'RULE_PACK_FETCH_TIMEOUT_SECONDS'
  | 'RULE_PACK_REQUIRE_PUBLIC_HOST'
  | 'WEBHOOK_REQUIRE_PUBLIC_HOST'
  | 'WEBHOOK_TIMEOUT_SECONDS'
>;

export function outboundPolicies(settings: Settings): Readonly<Record<OutboundPurpose, OutboundPolicy>> {
  return {
    enrichment: {
      publicOnly: settings.ENRICHMENT_REQUIRE_PUBLIC_HOST,
      maxBytes: 64 * 1024,
      timeoutMs: 10_000,
    },
    webhook: {
      publicOnly: settings.WEBHOOK_REQUIRE_PUBLIC_HOST,
      maxBytes: 0,
      timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
    },
    ai: {
      publicOnly: settings.AI_REQUIRE_PUBLIC_HOST,
      maxBytes: 1_048_576,
      timeoutMs: 300_000,
    },
    rule_list: {
      publicOnly: settings.RULE_LIST_REQUIRE_PUBLIC_HOST,
      maxBytes: settings.RULE_LIST_FETCH_MAX_BYTES,
      timeoutMs: settings.RULE_LIST_FETCH_TIMEOUT_SECONDS * 1000,
    },
    rule_pack: {
      publicOnly: settings.RULE_PACK_REQUIRE_PUBLIC_HOST,
      maxBytes: settings.RULE_PACK_FETCH_MAX_BYTES,
      timeoutMs: settings.RULE_PACK_FETCH_TIMEOUT_SECONDS * 1000,
    },
  };
}
