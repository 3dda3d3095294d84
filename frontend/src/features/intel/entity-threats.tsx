import { useQuery } from '@tanstack/react-query';
import { entityThreatsQuery } from '../../api/intel.ts';
import { counted } from '../../ui/format.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import styles from './entity-overview.module.css';

/** What the heuristics found in its jobs, whatever it had to do with that. */
export function EntityThreats({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(entityThreatsQuery(id));
  if (data === undefined) {
    if (error) return <ErrorState what="The heuristics cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={64} />;
  }
  if (data.categories === null) return <p className="soft">An administrator has switched off the heuristics.</p>;
  if (data.categories.length === 0)
    return <p className="soft">The heuristics found nothing in jobs that you may see.</p>;
  return (
    <>
      <p className="soft">{counted(data.total, 'indicator')} in the jobs that name it, not all of them of it</p>
      <ul className={styles.list}>
        {data.categories.map(({ category, label, severity, jobs, direct }) => (
          <li key={category} className={styles.row}>
            <SeverityMark severity={severity} />
            <span className="cut">{label}</span>
            {direct && (
              <span className={styles.direct} data-hint="An indicator names it">
                names it
              </span>
            )}
            <span className="faint">{counted(jobs, 'job')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
