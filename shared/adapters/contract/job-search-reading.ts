import type { JobFilter } from '@svc/application/jobs/job-lists.ts';
import {
  fallbackName,
  isTerminal,
  jobStatuses,
  logTypes,
  momentOf,
  parseSearch,
  searchTraits,
  severities,
  type Actor,
  type Job,
  type SearchCondition,
  type SearchTrait,
} from '@svc/domain';
import * as fc from 'fast-check';
import { at } from './job-fixture.ts';

/** A job with all that a search can ask about. */
export interface Facts {
  readonly job: Job;
  readonly sha256: string;
  readonly workflow: string;
  readonly tags: readonly string[];
  readonly tools: readonly string[];
  /** Account ids. */
  readonly watchers: readonly string[];
  /** Whether a log of it was not read whole, or held no event. */
  readonly hasGaps: boolean;
}

const list = (...values: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map((some) => some.join(','));
const term = fc.oneof(
  fc.constantFrom('security', 'sys', '*.evtx', 'srv*', '"my r"', 'ü', 'e', '%', 'zzz', 'upload-', 'a:b'),
  list('reviewed', '"two words"', 'übel', '100%', 'nosuch').map((values) => `tag:${values}`),
  list(...jobStatuses, 'new').map((values) => `status:${values}`),
  list(...logTypes.slice(0, 4)).map((values) => `type:${values}`),
  list(...severities).map((values) => `sev:${values}`),
  list('sigma', 'hunt', 'x').map((values) => `tool:${values}`),
  list('a', 'e', 'windows').map((values) => `workflow:${values}`),
  list('>0', '0', '<=5', '4..20', '>=30', 'x').map((values) => `findings:${values}`),
  list('1d', '3d', '2w', '5w', '2026-07-25').map((values) => `after:${values}`),
  list('12h', '3d', '2w', '5w', '2026-07-25').map((values) => `before:${values}`),
  list(...searchTraits).map((values) => `is:${values}`),
);
/** Queries at random, of terms that some jobs meet and some do not. */
export const queries = fc
  .array(fc.tuple(fc.boolean(), term, fc.constantFrom(' ', ' ', ' ', ' OR ')), { minLength: 1, maxLength: 3 })
  .map((terms) =>
    terms.map(([negated, one, gap], place) => `${place === 0 ? '' : gap}${negated ? '-' : ''}${one}`).join(''),
  )
  .filter((q) => parseSearch(q).terms.length > 0);

/** Whether a job meets all that a search asks, by a plain reading of it. */
export function meetsAll(viewer: Actor, one: Facts, filters: readonly JobFilter[]): boolean {
  return filters.every(({ condition, negated }) => condition !== null && meets(viewer, one, condition) !== negated);
}

function meets(
  viewer: Actor,
  { job, sha256, workflow, tags, tools, watchers, hasGaps }: Facts,
  asked: SearchCondition,
): boolean {
  const name = (job.submittedName ?? fallbackName(sha256)).toLowerCase();
  switch (asked.key) {
    case 'name':
      return asked.isWildcard
        ? matchesWildcard(name, asked.text.toLowerCase())
        : name.includes(asked.text.toLowerCase());
    case 'tag':
      return asked.values.some((value) => tags.includes(value));
    case 'status':
      return asked.values.includes(job.status);
    case 'type':
      return asked.values.includes(job.logType);
    case 'workflow':
      return asked.values.some((value) => workflow.toLowerCase().includes(value.toLowerCase()));
    case 'tool':
      return asked.values.some((value) => tools.some((tool) => tool.toLowerCase().includes(value.toLowerCase())));
    case 'sev':
      return asked.values.some((severity) => job.severitySummary[severity] > 0);
    case 'findings':
      return asked.values.some(
        ({ min, max }) => job.totalFindings >= min && (max === null || job.totalFindings <= max),
      );
    case 'after':
      return asked.values.some((moment) => job.createdAt >= momentOf(moment, at));
    case 'before':
      return asked.values.some((moment) => job.createdAt < momentOf(moment, at));
    case 'id':
      return asked.values.includes(job.id);
    case 'sha256':
      return asked.values.some((digits) => sha256.startsWith(digits));
    case 'is':
      return asked.values.some((trait) => (trait === 'gaps' ? hasGaps : traits[trait](job, viewer, watchers)));
    default:
      throw new Error(`${asked.key}: is looked for in held-search.ts`);
  }
}

const traits: Readonly<
  Record<Exclude<SearchTrait, 'gaps'>, (job: Job, viewer: Actor, watchers: readonly string[]) => boolean>
> = {
  private: (job) => job.isPrivate,
  public: (job) => !job.isPrivate,
  mine: (job, viewer) => viewer.kind === 'account' && job.submittedBy === viewer.userId,
  anonymous: (job) => job.submittedBy === null,
  watched: (_job, viewer, watchers) => viewer.kind === 'account' && watchers.includes(viewer.userId),
  hits: (job) => job.totalFindings > 0,
  clean: (job) => job.totalFindings === 0,
  error: (job) => job.errorMessage !== null,
  running: (job) => !isTerminal(job.status),
  done: (job) => isTerminal(job.status),
};

function matchesWildcard(name: string, pattern: string): boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pieces.join('.*')}$`, 'su').test(name);
}
