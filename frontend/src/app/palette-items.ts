import type { JobRow } from '@svc/contracts';
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
    };

/** Hashes of jobs that were opened, by job id; the list of jobs does not carry them. */
export type KnownHashes = ReadonlyMap<number, string>;

const MOST_JOBS = 8;

/** Where a query can lead: a job by its number, then pages, then recent jobs by file name or SHA-256. */
export function paletteItems(
  query: string,
  { entries, jobs, hashes }: { entries: readonly Entry[]; jobs: readonly JobRow[]; hashes: KnownHashes },
): PaletteItem[] {
  const wanted = query.trim().toLowerCase();
  const number = /^#?(\d{1,10})$/.exec(wanted)?.[1];
  const byNumber: PaletteItem[] =
    number === undefined
      ? []
      : [{ kind: 'job', key: `number-${number}`, label: `Job ${number}`, jobId: Number(number) }];
  const byName = jobs
    .filter(
      ({ filename, job_id: id }) =>
        filename.toLowerCase().includes(wanted) || (wanted.length >= 6 && (hashes.get(id) ?? '').startsWith(wanted)),
    )
    .slice(0, MOST_JOBS)
    .map(({ job_id: jobId, filename, status }): PaletteItem => ({
      kind: 'job',
      key: `job-${jobId}`,
      label: filename,
      jobId,
      status,
    }));
  const pages = entries
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ label, to }): PaletteItem => ({ kind: 'page', key: to, label, to }));
  return [...byNumber, ...pages, ...byName];
}
