import type { EnrichmentContent } from '@svc/domain';

/** How a service has done of late: after failures in a row it is left alone until a time, and then tried once. */
export interface Circuit {
  readonly failures: number;
  /** Null while it is asked. */
  readonly openUntil: Date | null;
  readonly lastError: string | null;
}

export interface EnrichmentService extends EnrichmentContent {
  readonly id: number;
  readonly sealedToken: string | null;
  readonly circuit: Circuit;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where the token of a service is sealed for. */
export function enrichmentTokenPlace(id: number): string {
  return `enrichment_service:${id}/api_token`;
}

/** How a request went: answered in whatever way, or failed so that the next may fail, too. */
export type Asked = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly until: Date | null };

/** Services that know something about entities, in the order in which they are shown. */
export interface EnrichmentServices {
  all(): Promise<readonly EnrichmentService[]>;
  get(id: number): Promise<EnrichmentService | null>;
  /** Throws `conflict` for a name that is taken. */
  add(content: EnrichmentContent, at: Date): Promise<number>;
  /** Throws `conflict` for a name that is taken. Another address or token ends the pause after failures. */
  change(
    id: number,
    change: Partial<EnrichmentContent> & { readonly sealedToken?: string | null },
    at: Date,
  ): Promise<void>;
  /** With all that it has said. */
  remove(id: number): Promise<void>;
  /** Whether one may be asked now; of all who want to know after a pause, one is told so, who then has until `until` to say how it went. */
  admit(id: number, now: Date, until: Date): Promise<boolean>;
  /** Notes how a request went; after so many failures in a row the pause begins. */
  asked(id: number, how: Asked): Promise<void>;
}
