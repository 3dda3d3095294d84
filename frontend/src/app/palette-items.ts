import type { EntityRow, JobRow, ListedCase } from '@svc/contracts';
import type { JobStatus } from '@svc/domain';
import type { Entry } from './entries.ts';

export type PaletteItem =
  | { readonly kind: 'page'; readonly key: string; readonly label: string; readonly to: string }
  | {
      readonly kind: 'job';
      readonly key: string;
      readonly label: string;
      readonly jobId: number;
      readonly status?: JobStatus;
    }
  | { readonly kind: 'case'; readonly key: string; readonly label: string; readonly caseId: number }
  | { readonly kind: 'entity'; readonly key: string; readonly label: string; readonly entityId: number }
  | { readonly kind: 'search'; readonly key: string; readonly label: string; readonly q: string }
  | { readonly kind: 'action'; readonly key: string; readonly label: string; readonly run: () => void };

/** Something to do at once, from wherever one is. */
export interface PaletteAction {
  readonly label: string;
  readonly run: () => void;
}

const MOST_JOBS = 8;
const MOST_ENTITIES = 5;
const MOST_CASES = 3;

/**
 * What the service is asked for what was typed: a hash or an address for where it was found, a number for nothing, else
 * names and terms.
 */
export function searchFor(query: string): string {
  const wanted = query.trim();
  if (wanted.length < 2 || /^#?\d{1,10}$/.test(wanted)) return '';
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(wanted)) return `ip:${wanted} OR ${wanted}`;
  return /^[0-9a-f]{8,128}$/i.test(wanted) ? `hash:${wanted}` : wanted;
}

/** What is looked for among the entities: text as it was typed, and nothing for a term of the jobs search. */
export function entityFor(query: string): string {
  const wanted = query.trim();
  return wanted.length < 3 || /^#?\d{1,10}$|["()]|^-?\w+:/.test(wanted) ? '' : wanted;
}

interface Offered {
  readonly entries: readonly Entry[];
  readonly actions: readonly PaletteAction[];
  readonly jobs: readonly JobRow[];
  /** For members. @default none */
  readonly entities?: readonly EntityRow[];
  /** For members, those whose name has what was typed. @default none */
  readonly cases?: readonly Pick<ListedCase, 'id' | 'name'>[];
}

/**
 * Where a query can lead: a job by its number, then pages, then things to do, then jobs: the newest before
 * anything is typed, else those that the service has found, all of them in the jobs list, and what logs name.
 */
export function paletteItems(
  query: string,
  { entries, actions, jobs, entities = [], cases = [] }: Offered,
): PaletteItem[] {
  const wanted = query.trim().toLowerCase();
  const number = /^#?(\d{1,10})$/.exec(wanted)?.[1];
  const isMeant = ({ label }: { readonly label: string }): boolean => label.toLowerCase().includes(wanted);
  const byNumber: PaletteItem[] =
    number === undefined
      ? []
      : [{ kind: 'job', key: `number-${number}`, label: `Job ${number}`, jobId: Number(number) }];
  const found = jobs.slice(0, MOST_JOBS).map(({ job_id: jobId, filename, status }): PaletteItem => ({
    kind: 'job',
    key: `job-${jobId}`,
    label: filename,
    jobId,
    status,
  }));
  const named = entities.slice(0, MOST_ENTITIES).map(({ id, value }): PaletteItem => ({
    kind: 'entity',
    key: `entity-${id}`,
    label: value,
    entityId: id,
  }));
  const investigations = cases.slice(0, MOST_CASES).map(({ id, name }): PaletteItem => ({
    kind: 'case',
    key: `case-${id}`,
    label: name,
    caseId: id,
  }));
  const pages = entries.filter(isMeant).map(({ label, to }): PaletteItem => ({ kind: 'page', key: to, label, to }));
  const deeds = actions
    .filter((action) => wanted !== '' && isMeant(action))
    .map(({ label, run }): PaletteItem => ({ kind: 'action', key: `do-${label}`, label, run }));
  const q = searchFor(query);
  const all: PaletteItem[] =
    q === '' || jobs.length === 0 ? [] : [{ kind: 'search', key: 'search', label: `All jobs for ${q}`, q }];
  return [...byNumber, ...pages, ...deeds, ...investigations, ...(number === undefined ? found : []), ...all, ...named];
}
