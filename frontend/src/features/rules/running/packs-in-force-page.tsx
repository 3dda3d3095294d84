import type { Me } from '@svc/contracts';
import { IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { packsInForceQuery } from '../../../api/rule-packs.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { counted } from '../../../ui/format.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { GivenLogsSection } from './given-logs.tsx';
import styles from './packs-in-force.module.css';

/** The rules that logs are held against, pack by pack, for members to read. */
export function PacksInForcePage({ me }: { me: Me }) {
  const { data, error, refetch } = useQuery(packsInForceQuery);
  const rules = data?.packs.reduce((sum, { loaded }) => sum + loaded, 0);
  return (
    <>
      <title>Rules · svc</title>
      <PageHead title="Rules" total={rules}>
        <Link to={paths.suppressions}>Suppressions</Link>
        {me.role === 'admin' && <Link to={paths.rulePacks}>Manage the packs</Link>}
      </PageHead>
      {data === undefined && error ? (
        <ErrorState what="The rules cannot be listed" error={error} retry={() => void refetch()} />
      ) : data?.packs.length === 0 ? (
        <EmptyState icon={IconListDetails} title="No rules are in use">
          Every pack is switched off, so that nothing is looked for. Administrators can switch one on.
        </EmptyState>
      ) : (
        <ul className={styles.list} aria-busy={data === undefined}>
          {data === undefined && <Skeleton height={72} />}
          {data?.packs.map(({ name, version, loaded, licence, dated_at: dated, age_days: days, is_stale: isStale }) => (
            <li key={name} className={cx('card', styles.pack)}>
              <h2 className={styles.name}>
                <Link to={paths.runningRules} params={{ pack: name }}>
                  {name}
                </Link>
              </h2>
              <span className={styles.about}>
                {counted(loaded, 'rule')} · version {version} · newest of {dated.slice(0, 10)}
                {licence !== null && ` · ${licence}`}
              </span>
              {isStale && (
                <span className={styles.stale}>
                  The newest rule is {counted(days, 'day')} old: what attackers do since then may be missed.
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.packs.length > 0 && <GivenLogsSection />}
    </>
  );
}
