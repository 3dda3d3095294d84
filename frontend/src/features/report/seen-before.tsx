import type { SeenEntity } from '@svc/contracts';
import { reaches } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { seenBeforeQuery } from '../../api/intel.ts';
import { useReport } from '../../api/report-source.ts';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { PartPager } from '../../ui/pager.tsx';
import { Switcher } from '../../ui/switcher.tsx';
import { Tags } from '../../ui/tag.tsx';
import { Age } from '../../ui/time.tsx';
import { knownHint, seenWords } from './doors/known-words.ts';
import styles from './seen-before.module.css';

/** What of the log earlier jobs name, too, and what is new in it; for members, of jobs of the service. */
export function SeenBefore() {
  const me = useMe();
  const { jobId } = useReport();
  const isMember = me !== undefined && me !== null && reaches(me.role, 'member');
  return isMember && jobId !== null ? <Seen jobId={jobId} /> : null;
}

function Seen({ jobId }: { jobId: number }) {
  const [{ which, page }, show] = useState<{ which: 'seen' | 'new'; page: number }>({ which: 'seen', page: 1 });
  const { data } = useQuery(seenBeforeQuery(jobId, which, page));
  if (data === undefined || data.total === 0) return null;
  const { total, seen, list } = data;
  return (
    <section className={cx('card', styles.card)} aria-label="Seen before">
      <header className={styles.head}>
        <h2 className={styles.title}>
          {seen === 0
            ? `Nothing of the ${counted(total, 'thing')} that this log names was seen before`
            : `${count(seen)} of the ${count(total)} things that this log names were seen before`}
        </h2>
        <Switcher
          label="Which"
          value={which}
          options={[
            ['seen', `Seen before ${count(seen)}`],
            ['new', `New here ${count(total - seen)}`],
          ]}
          onChange={(next) => show({ which: next, page: 1 })}
        />
      </header>
      {list.total === 0 ? (
        <p className="soft">{which === 'seen' ? 'In no earlier job that you may see.' : 'Nothing is new.'}</p>
      ) : (
        <ul className={styles.list}>
          {list.items.map((entity) => (
            <Row key={entity.id} entity={entity} />
          ))}
        </ul>
      )}
      {list.total_pages > 1 && (
        <PartPager part={list} rows={list.items.length} onPage={(to) => show({ which, page: to })} />
      )}
    </section>
  );
}

function Row({ entity }: { entity: SeenEntity }) {
  return (
    <li className={cx(styles.row, entity.allowlisted && 'faint')}>
      <Link
        to={paths.entity}
        params={{ entityId: entity.id }}
        className={cx(styles.value, 'cut')}
        data-hint={`${entity.value}\n${knownHint(entity)}`}
      >
        {entity.value}
      </Link>
      <Tags tags={entity.tags} most={2} />
      <span className={cx(styles.jobs, 'faint')}>
        {entity.jobs_before > 0 ? counted(entity.jobs_before, 'earlier job') : seenWords(entity).split(':')[0]}
        {entity.jobs_before > 0 && (
          <>
            , first <Age iso={entity.first_seen_at} isSaid />
          </>
        )}
      </span>
    </li>
  );
}
