import type { Analytics, FindingRow, JobRow, MatchedEvent } from '@svc/contracts';

/** What a job's report shows its viewer, as far as a brief tells of it. */
export interface JobFacts {
  readonly job: Pick<
    JobRow,
    | 'job_id'
    | 'filename'
    | 'log_type'
    | 'status'
    | 'score_ratio'
    | 'total_findings'
    | 'distinct_rules'
    | 'severity_summary'
    | 'partly_read'
  > & {
    readonly workflow: string;
    readonly sha256: string;
    readonly first_event_at: string | null;
    readonly last_event_at: string | null;
  };
  /** Number of its file. */
  readonly file: number;
  /** Null where nothing was derived; without the parts that the site does not show. */
  readonly analytics: Analytics | null;
  /** Accounts and hosts that the job names, whether the site shows them or not: by them they are kept inside. */
  readonly own: { readonly users: readonly string[]; readonly hosts: readonly string[] };
  /** Worst first, then the most frequent. */
  readonly findings: readonly FindingRow[];
  /** Sample events of some of them. */
  readonly events: ReadonlyMap<number, readonly MatchedEvent[]>;
}

/** Findings that a brief tells of, and sample events of each. */
export const briefLimits = { findings: 40, events: 3, tags: 8, categories: 15, indicators: 5, entities: 25 } as const;

/** The types of entities in the order in which briefs tell of them. */
export const briefEntities = [
  ['user', 'users', 'Users'],
  ['computer', 'computers', 'Computers'],
  ['ip_address', 'ip_addresses', 'IP addresses'],
  ['executable', 'executables', 'Executables'],
  ['cmdline_file', 'cmdline_files', 'Files on command lines'],
  ['domain', 'domains', 'Domains'],
  ['hash', 'hashes', 'Hashes'],
  ['service', 'services', 'Services'],
  ['task', 'tasks', 'Scheduled tasks'],
] as const;
