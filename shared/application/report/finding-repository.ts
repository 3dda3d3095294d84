import type { Actor, Finding, Severity } from '@svc/domain';
import type { SampleEvent } from './agreement/records.ts';
import type { StoredEvent } from './new-finding.ts';

export interface FindingPage {
  readonly findings: readonly Finding[];
  readonly page: number;
  readonly total: number;
}

/** What one engine found of a rule, whichever finding stands for it. */
export interface EngineFinding extends Omit<Finding, 'parts'> {
  /** Sample events. */
  readonly kept: number;
  /** The finding that is listed for it, which may be itself. */
  readonly listedAs: number;
}

/** Where a rule fired. */
export interface FiredRule {
  readonly jobId: number;
  readonly fileName: string;
  /** Matched events. */
  readonly count: number;
  readonly createdAt: Date;
}

/** A finding of another job with the same signature. */
export interface CorrelatedFinding extends FiredRule {
  readonly ruleName: string;
  readonly severity: Severity;
  readonly engine: string;
}

/** What rules did in some jobs; by id, in lower case. */
export interface RecentHits {
  readonly jobs: number;
  readonly records: number;
  readonly rules: ReadonlyMap<string, { readonly events: number; readonly jobs: number }>;
  readonly measured: RecentCosts;
}

/** What rules took in those of the jobs whose rules were measured. */
export interface RecentCosts {
  readonly jobs: number;
  readonly records: number;
  /** Milliseconds of all rules together. */
  readonly ms: number;
  /** By id, in lower case; of each job those that took most. */
  readonly rules: ReadonlyMap<string, { readonly tries: number; readonly ms: number }>;
}

/** A rule that matched in some jobs, known by its signature. */
export interface MatchedRule {
  readonly signature: string;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Its findings; several engines may have found it in one job. */
  readonly places: readonly {
    readonly jobId: number;
    readonly findingId: number;
    /** Matched events. */
    readonly count: number;
    /** As `Finding.hosts`. */
    readonly hosts: readonly string[] | null;
  }[];
}

/**
 * Findings as reports read them, worst first; events and rule sources only when asked for. What several engines found of
 * one rule is one finding (decision 136), and its sample events are those of all of them, where it is not said otherwise.
 */
export interface FindingRepository {
  /** `severity: null` for all; a page past the end is the last. */
  page(jobId: number, filter: { severity: Severity | null; page: number; per: number }): Promise<FindingPage>;
  /** Everything that each engine of a job found, worst first. */
  ofEngines(jobId: number): Promise<readonly EngineFinding[]>;
  /** Everything of a job, for its download. */
  withEvents(jobId: number): Promise<readonly (Finding & { readonly events: readonly SampleEvent[] })[]>;
  /** Findings of a job with this text somewhere in their sample events, in whatever case. */
  withEventText(
    jobId: number,
    text: string,
  ): Promise<readonly { readonly id: number; readonly events: readonly SampleEvent[] }[]>;
  /** The sample events of a job, those of its worst findings first, and about so many of them; some several times. */
  sampleEvents(jobId: number, most: number): Promise<readonly StoredEvent[]>;
  /** What a task found, in the order that its engine gave it in. */
  ofTask(taskId: number): Promise<readonly Pick<Finding, 'id' | 'ruleId' | 'ruleName' | 'severity' | 'tags'>[]>;
  /** Tags and matched events of each finding of a job. */
  tagCounts(jobId: number): Promise<readonly Pick<Finding, 'tags' | 'count'>[]>;
  /** What matched in these jobs, by rule: worst first, then by matches and name. */
  matchedRules(jobIds: readonly number[]): Promise<readonly MatchedRule[]>;
  /** The newest jobs that the viewer may see in which a rule fired. */
  firedIn(viewer: Actor, ruleId: string, limit: number): Promise<readonly FiredRule[]>;
  /** The findings of a rule in the newest jobs that the viewer may see, or in those of a case, and how many there are in all. */
  newestOfRule(
    viewer: Actor,
    ruleId: string,
    of: { readonly caseId: number | null; readonly most: number },
  ): Promise<{ readonly findings: readonly Finding[]; readonly total: number }>;
  /** Those of some rules that fired in a job that the viewer may see. */
  fired(viewer: Actor, ruleIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** How often rules matched in the newest jobs with a report that the viewer may see, what they took, and how many records those had. */
  recentHits(viewer: Actor, jobs: number): Promise<RecentHits>;
  /** The newest other jobs that the viewer may see in which the same was found (9.2), each once. */
  correlated(
    viewer: Actor,
    same: { readonly jobId: number; readonly signature: string },
    limit: number,
  ): Promise<readonly CorrelatedFinding[]>;
  /** A finding of a job that the viewer may see; null for the service itself. */
  get(viewer: Actor | null, id: number): Promise<Finding | null>;
  events(id: number): Promise<readonly SampleEvent[]>;
  /** The sample events that each engine left of some findings, of whichever jobs; without findings that have none. */
  eventsOf(ids: readonly number[]): Promise<ReadonlyMap<number, readonly StoredEvent[]>>;
  ruleSource(id: number): Promise<string | null>;
  /** Of some findings, of whichever jobs; without those whose is not known. */
  ruleSources(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
