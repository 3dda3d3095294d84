import { reaches } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { seenBeforeQuery } from '../../api/intel.ts';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { count } from '../../ui/format.ts';
import styles from './seen-mark.module.css';

/** How much of what the log names was seen before: a responder's first question, answered on the first screen. */
export function SeenMark({ jobId: id, hasTab }: { jobId: number; hasTab: boolean }) {
  const me = useMe();
  const isMember = me !== undefined && me !== null && reaches(me.role, 'member');
  const { data } = useQuery({ ...seenBeforeQuery(id, 'seen', 1), enabled: isMember });
  if (data === undefined || data.total === 0) return null;
  const text = `${count(data.seen)} of ${count(data.total)} entities seen before`;
  // Without findings a report has no tab for what they name.
  return hasTab ? (
    <Link to={paths.job} params={{ jobId: id }} search={{ view: 'entities' }} className={styles.mark}>
      {text}
    </Link>
  ) : (
    <Link to={paths.entities} search={{ job: id }} className={styles.mark}>
      {text}
    </Link>
  );
}
