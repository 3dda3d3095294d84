import type { CaseTimelineJob } from '@svc/contracts';
import { count } from '../../ui/format.ts';
import { JobName } from '../../ui/timeline/job-name.tsx';
import type { MarkedJob } from '../../ui/timeline/lanes.ts';
import { clockText } from './clock-text.ts';
import styles from './case-logs.module.css';

interface LogsProps {
  readonly jobs: readonly MarkedJob[];
  readonly of: readonly CaseTimelineJob[];
  readonly chosen: number | undefined;
  readonly onChoose: (job: number | undefined) => void;
}

/** The logs that markers come from, by colour and name; choosing one shows its alone. */
export function CaseLogs({ jobs, of, chosen, onChoose }: LogsProps) {
  const byId = new Map(of.map((job) => [job.id, job]));
  return (
    <div className={styles.logs} role="group" aria-label="Logs">
      {jobs.map((job) => {
        const { matches = 0, covered = false, clock_offset: offset = 0 } = byId.get(job.id) ?? {};
        return (
          <button
            key={job.id}
            type="button"
            className={styles.log}
            aria-pressed={job.id === chosen}
            onClick={() => onChoose(job.id === chosen ? undefined : job.id)}
          >
            <JobName job={job} />
            <span className={styles.facts}>
              {covered ? count(matches) : 'no timeline'}
              {offset !== 0 && `, clock ${clockText(offset)}`}
            </span>
          </button>
        );
      })}
    </div>
  );
}
