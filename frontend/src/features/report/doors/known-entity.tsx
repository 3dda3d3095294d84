import { reaches } from '@svc/domain';
import { IconAffiliate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { entitiesQuery } from '../../../api/intel.ts';
import { useMe } from '../../../api/session.ts';
import { paths } from '../../../paths.ts';
import type { DoorValue } from '../../../ui/door-value.ts';
import { counted } from '../../../ui/format.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { Tags } from '../../../ui/tag.tsx';
import { Age } from '../../../ui/time.tsx';
import { entityAsked } from './entity-asked.ts';
import styles from './value-peek.module.css';

/** What all jobs say of a value, with the way to its page; for members. */
export function KnownEntity({ door }: { door: DoorValue }) {
  const me = useMe();
  const asked = entityAsked(door);
  const isMember = me !== null && me !== undefined && reaches(me.role, 'member');
  return isMember && asked !== null ? <Known asked={asked} /> : null;
}

function Known({ asked: { q, types } }: { asked: NonNullable<ReturnType<typeof entityAsked>> }) {
  const nothing = { tags: [], job: undefined, sort: undefined, page: 1, cursor: undefined };
  const { data, isError } = useQuery(entitiesQuery({ q, types, ...nothing }));
  if (isError) return null;
  const [entity] = data?.items ?? [];
  return (
    <section className={styles.jobs} aria-label="Known to all jobs">
      <h3 className={styles.title}>Known to all jobs</h3>
      {data === undefined ? (
        <Skeleton width="60%" />
      ) : entity === undefined ? (
        <p className="soft">Not among the entities yet.</p>
      ) : (
        <>
          <p className="soft">
            {counted(entity.job_count, 'job')}, first seen <Age iso={entity.first_seen_at} isSaid />, last{' '}
            <Age iso={entity.last_seen_at} isSaid />
            {entity.allowlisted && ', allowlisted'}
          </p>
          <Tags tags={entity.tags} />
          <Link to={paths.entity} params={{ entityId: entity.id }} className={styles.deed}>
            <IconAffiliate size={16} stroke={1.75} aria-hidden="true" />
            Open its page
          </Link>
        </>
      )}
    </section>
  );
}
