import { useQuery } from '@tanstack/react-query';
import { entityScopesQuery } from '../../api/intel.ts';
import { Choice } from '../../ui/choice.tsx';
import { Notice } from '../../ui/states.tsx';
import styles from './entity-page.module.css';

interface ScopeProps {
  readonly id: number;
  readonly job: number | undefined;
  /** What is shown can be of all of them together. */
  readonly hasAll: boolean;
  readonly onJob: (job: number | undefined) => void;
}

/** Which of its jobs a tab is narrowed to: the newest 200 that one may see, and the one that is chosen. */
export function EntityScope({ id, job, hasAll, onJob }: ScopeProps) {
  const { data } = useQuery(entityScopesQuery(id));
  const jobs = data?.jobs ?? [];
  const isListed = job === undefined || jobs.some((one) => one.id === job);
  return (
    <span className={styles.scope}>
      <Choice
        label="Job"
        value={job ?? 0}
        options={[
          ...(hasAll || job === undefined ? [[0, 'All jobs'] as const] : []),
          ...(isListed ? [] : [[job, `#${job}`] as const]),
          ...jobs.map((one) => [one.id, `#${one.id} ${one.filename}`] as const),
        ]}
        onChange={(chosen) => onJob(Number(chosen) || undefined)}
      />
    </span>
  );
}

/** Says that what is shown is not of the job that was asked for. */
export function ScopeNotices({ notices }: { notices: readonly string[] }) {
  return notices.map((notice) => (
    <Notice key={notice} tone="warn">
      {notice}
    </Notice>
  ));
}
