import type { AiFactKind } from '@svc/domain';
import { techniquesOf } from '@svc/domain';
import { briefEntities, type JobFacts } from '../brief/job-facts.ts';
import { foldedText, isWhole, WordTrie } from '../word-trie.ts';

/** What a name of the evidence is, and where it is told of. */
export interface EvidenceName {
  readonly kind: AiFactKind;
  readonly jobId: number;
  readonly findingId: number | null;
}

/** What answers about some jobs can be held against. */
export interface Evidence {
  readonly names: WordTrie<EvidenceName>;
  /** By finding id, its job. */
  readonly findings: ReadonlyMap<number, number>;
  readonly jobs: ReadonlySet<number>;
  readonly techniques: ReadonlySet<string>;
  /** Whether the text stands anywhere in it, in whatever capitals, as no part of a longer word. */
  has(text: string): boolean;
}

const entityKinds = {
  user: 'user',
  computer: 'host',
  ip_address: 'ip',
  executable: 'program',
  cmdline_file: 'path',
  domain: 'domain',
  hash: 'hash',
  service: 'service',
  task: 'task',
} as const satisfies Record<(typeof briefEntities)[number][0], AiFactKind>;

/** Names that would be found in every sentence. */
const shortest = 3;

/** `texts` are all other texts of the evidence: values of events, of processes, and what is written of a case. */
export function evidenceOf(jobs: readonly JobFacts[], texts: Iterable<string>): Evidence {
  const names = new WordTrie<EvidenceName>();
  const findings = new Map<number, number>();
  const techniques = new Set<string>();
  const all: string[] = [];
  for (const { job, findings: found, analytics } of jobs) {
    const jobId = job.job_id;
    all.push(job.filename, job.sha256, job.workflow);
    for (const { id, rule_name: rule, tags } of found) {
      findings.set(id, jobId);
      all.push(rule, ...tags);
      for (const technique of techniquesOf(tags)) techniques.add(technique.toUpperCase());
      if (rule.length >= shortest) names.add(rule, { kind: 'rule', jobId, findingId: id });
    }
    for (const [type, list] of briefEntities) {
      for (const value of analytics?.[list] ?? []) {
        all.push(value);
        // Words of the language are services and tasks, too.
        const isTelling =
          value.length > shortest && (!/^[A-Z]?[a-z]+$/.test(value) || type === 'user' || type === 'computer');
        if (isTelling) names.add(value, { kind: entityKinds[type], jobId, findingId: null });
      }
    }
    for (const { indicators } of Object.values(analytics?.threat_detection?.categories ?? {}))
      for (const { value } of indicators) all.push(value);
  }
  for (const text of texts) all.push(text);
  const corpus = foldedText(all.join('\n'));
  return {
    names,
    findings,
    techniques,
    jobs: new Set(jobs.map(({ job }) => job.job_id)),
    has: (text) => has(corpus, text),
  };
}

function has(corpus: string, text: string): boolean {
  const wanted = foldedText(text.trim());
  if (wanted === '') return false;
  for (let at = corpus.indexOf(wanted); at >= 0; at = corpus.indexOf(wanted, at + 1))
    if (isWhole(corpus, at, at + wanted.length)) return true;
  return false;
}
