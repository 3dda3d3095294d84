import type { graphVerdicts } from '../entity-graph.ts';
import type { EntityType } from '../entity.ts';

/** What a service says of an entity, as a rank. */
export type Verdict = (typeof graphVerdicts)[number];

/** Longest texts and lists, and how long what was found is kept (resolved-platform 19). */
export const enrichmentLimits = {
  name: 80,
  template: 500,
  body: 2000,
  notes: 2000,
  token: 2000,
  headers: 20,
  headerValue: 1000,
  /** Summary fields, and verdict rules. */
  rules: 20,
  pointer: 200,
  cacheSeconds: 30 * 86_400,
  perMinute: 10_000,
  /** Entities of one request, and of one case. */
  atOnce: 50,
  ofCase: 10_000,
  /** Characters of one value of a summary, and values of a list in it. */
  value: 300,
  values: 10,
} as const;

/** Keys that restrict the host of `api_template` to the vendor's domain; also those with a summary of their own. */
export const vendorDomains = {
  virustotal: 'virustotal.com',
  abuseipdb: 'abuseipdb.com',
  shodan: 'shodan.io',
  urlscan: 'urlscan.io',
} as const;

export const enrichmentMethods = ['GET', 'POST'] as const;
export type EnrichmentMethod = (typeof enrichmentMethods)[number];

/** A part of an answer to show, by its JSON pointer (RFC 6901). */
export interface SummaryField {
  readonly label: string;
  readonly pointer: string;
}

/** The verdict where what a pointer names is at least a number (a list by its length), is a text, or is there at all. */
export interface VerdictRule {
  readonly verdict: Verdict;
  readonly pointer: string;
  readonly atLeast?: number;
  readonly is?: string;
}

/** What administrators say of a service that knows something about entities. */
export interface EnrichmentContent {
  readonly name: string;
  readonly providerKey: string;
  readonly entityTypes: readonly EntityType[];
  readonly linkTemplate: string | null;
  readonly apiTemplate: string | null;
  readonly apiMethod: EnrichmentMethod;
  readonly apiHeaders: Readonly<Record<string, string>>;
  /** Of a POST: JSON, or fields of a form. */
  readonly apiBody: string | null;
  readonly cacheTtlSeconds: number;
  /** Requests a minute; null for what the deployment allows any service. */
  readonly perMinute: number | null;
  readonly summaryFields: readonly SummaryField[];
  readonly verdictRules: readonly VerdictRule[];
  readonly enabled: boolean;
  readonly displayOrder: number;
  readonly notes: string;
}

export type SummaryValue = string | number | readonly (string | number)[];
export type EnrichmentSummary = Readonly<Record<string, SummaryValue>>;
