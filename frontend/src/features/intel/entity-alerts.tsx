import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertsQuery } from '../../api/alerts.ts';
import { paths } from '../../paths.ts';
import { count } from '../../ui/format.ts';
import styles from './entity-head.module.css';

/** Alerts of one's rules on an entity that wait; nothing where there are none. */
export function EntityAlerts({ id }: { id: number }) {
  const total = useQuery(alertsQuery({ entity: id })).data?.entities.total ?? 0;
  if (total === 0) return null;
  return (
    <Link
      to={paths.alertRules}
      search={{ view: 'alerts', entity: id }}
      className={styles.chip}
      data-hint="Alerts on it that nobody has acknowledged"
    >
      <IconBell size={12} stroke={2} aria-hidden="true" /> {count(total)} {total === 1 ? 'alert' : 'alerts'}
    </Link>
  );
}
