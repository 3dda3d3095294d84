import { graphVerdicts } from '../entity-graph.ts';
import {
  enrichmentLimits,
  type EnrichmentContent,
  type EnrichmentSummary,
  type SummaryValue,
  type Verdict,
  type VerdictRule,
} from './service.ts';

type Reading = Pick<EnrichmentContent, 'providerKey' | 'summaryFields' | 'verdictRules'>;

/** What of an answer is shown (resolved-platform 19): what its vendor's answers are known for, and what is asked for. */
export function enrichmentSummary({ providerKey, summaryFields }: Reading, answer: unknown): EnrichmentSummary {
  const known = Object.entries(knownSummaries[providerKey]?.(answer) ?? {});
  const asked = summaryFields.map(({ label, pointer }) => [label, at(answer, pointer)] as const);
  return Object.fromEntries(
    [...known, ...asked].flatMap(([label, found]) => {
      const value = shown(found);
      return value === null ? [] : [[label, value]];
    }),
  );
}

/** What the service thinks of the entity: by the rules that administrators gave, else as is known of its vendor. */
export function enrichmentVerdict({ providerKey, verdictRules }: Reading, answer: unknown): Verdict {
  if (verdictRules.length === 0) return knownVerdicts[providerKey]?.(answer) ?? 'none';
  const met = verdictRules.filter((rule) => meets(rule, at(answer, rule.pointer)));
  return strongestVerdict(met.map(({ verdict }) => verdict));
}

/** The strongest of what several say. */
export function strongestVerdict(verdicts: readonly Verdict[]): Verdict {
  return graphVerdicts[Math.max(0, ...verdicts.map((verdict) => graphVerdicts.indexOf(verdict)))]!;
}

/** What a JSON pointer names; undefined where there is nothing. */
function at(answer: unknown, pointer: string): unknown {
  let found = answer;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function meets({ atLeast, is }: VerdictRule, found: unknown): boolean {
  if (atLeast !== undefined) return numberOf(found) >= atLeast;
  if (is !== undefined) return String(found).toLowerCase() === is.toLowerCase();
  return found !== undefined && found !== null;
}

/** Of a list its length; of what is no number, none that reaches anything. */
function numberOf(found: unknown): number {
  if (Array.isArray(found)) return found.length;
  if (typeof found === 'number') return found;
  return typeof found === 'string' && found.trim() !== '' ? Number(found) : Number.NaN;
}

/** Of a list of things their number; null for what says nothing. */
function shown(found: unknown): SummaryValue | null {
  if (typeof found === 'number') return found;
  if (typeof found === 'boolean') return found ? 'yes' : 'no';
  if (typeof found === 'string') return found === '' ? null : found.slice(0, enrichmentLimits.value);
  if (!Array.isArray(found)) return null;
  const plain = found.flatMap((one: unknown) =>
    typeof one === 'number' ? one : typeof one === 'string' ? one.slice(0, enrichmentLimits.value) : [],
  );
  if (plain.length < found.length) return found.length;
  return plain.length === 0 ? null : plain.slice(0, enrichmentLimits.values);
}

const knownSummaries: Readonly<Record<string, (answer: unknown) => Readonly<Record<string, unknown>>>> = {
  virustotal: (answer) => {
    const stats = virusTotalStats(answer);
    const malicious = stats === null ? undefined : (stats['malicious'] ?? 0);
    return {
      detections: stats === null ? undefined : `${malicious} / ${Object.values(stats).reduce((sum, n) => sum + n, 0)}`,
      malicious,
      suspicious: stats?.['suspicious'],
      tags: virusTotalOf(answer, '/tags'),
      reputation: virusTotalOf(answer, '/reputation'),
    };
  },
  abuseipdb: (answer) => ({
    abuse_score: at(answer, '/data/abuseConfidenceScore'),
    reports: at(answer, '/data/totalReports'),
    country: at(answer, '/data/countryCode'),
    isp: at(answer, '/data/isp'),
  }),
  shodan: (answer) => ({
    open_ports: at(answer, '/ports'),
    org: at(answer, '/org'),
    hostnames: at(answer, '/hostnames'),
    os: at(answer, '/os'),
  }),
  urlscan: (answer) => ({
    total_results: at(answer, '/total'),
    top_url: at(answer, '/results/0/page/url') ?? at(answer, '/results/0/task/url'),
  }),
};

const knownVerdicts: Readonly<Record<string, (answer: unknown) => Verdict>> = {
  virustotal: (answer) => {
    const stats = virusTotalStats(answer);
    if (stats === null) return 'none';
    const { malicious = 0, suspicious = 0 } = stats;
    if (malicious >= 4) return 'malicious';
    return malicious + suspicious >= 1 ? 'suspicious' : 'clean';
  },
  abuseipdb: (answer) => {
    const score = at(answer, '/data/abuseConfidenceScore');
    if (typeof score !== 'number') return 'none';
    if (score >= 50) return 'malicious';
    return score >= 25 ? 'suspicious' : 'clean';
  },
};

/** Of one thing, or of the first that a search has found. */
function virusTotalOf(answer: unknown, pointer: string): unknown {
  return at(answer, `/data/attributes${pointer}`) ?? at(answer, `/data/0/attributes${pointer}`);
}

/** Engines by what they say; null where none was asked. */
function virusTotalStats(answer: unknown): Readonly<Record<string, number>> | null {
  const stats = virusTotalOf(answer, '/last_analysis_stats');
  if (typeof stats !== 'object' || stats === null) return null;
  const counts = Object.entries(stats).filter((pair): pair is [string, number] => typeof pair[1] === 'number');
  return counts.length === 0 ? null : Object.fromEntries(counts);
}
