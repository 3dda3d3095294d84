import { IconAffiliate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RelationGroup } from '@svc/contracts';
import { entityRelationshipsQuery } from '../../api/intel.ts';
import { cx } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { EntityLink } from './entity-link.tsx';
import styles from './entity-overview.module.css';
import relation from './entity-relationships.module.css';
import { EntityTypeMark } from './entity-types.tsx';

const few = 10;

/** How it is related to others, by type and direction, the strongest first. */
export function EntityRelationships({ id, job }: { id: number; job: number | undefined }) {
  const { data, error, refetch } = useQuery(entityRelationshipsQuery(id, job));
  if (data === undefined) {
    if (error) return <ErrorState what="The relationships cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  if (data.groups.length === 0) {
    return (
      <EmptyState icon={IconAffiliate} title="Nothing is known of how it is related to others">
        Relationships come from events that name two things, such as a program and the address that it connects to.
      </EmptyState>
    );
  }
  return (
    <>
      {data.capped && (
        <Notice tone="info">The 1,000 strongest of each direction are shown, of {count(data.total)}.</Notice>
      )}
      <div className={relation.groups}>
        {data.groups.map((group) => (
          <Group key={`${group.rel_type} ${group.direction}`} group={group} />
        ))}
      </div>
    </>
  );
}

function Group({ group }: { group: RelationGroup }) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? group.rows : group.rows.slice(0, few);
  const title = group.direction === 'out' ? `${group.label} …` : `… ${group.label} it`;
  return (
    <section className={cx('card', styles.card)} aria-label={title}>
      <h2 className={styles.title}>
        {title} <span className="faint">{count(group.count)}</span>
      </h2>
      <ul className={styles.list}>
        {rows.map((row) => (
          <li key={row.relationship_id} className={styles.row}>
            <EntityTypeMark type={row.other.entity_type} isShort />
            <EntityLink entity={row.other} className={styles.link} />
            <span className="faint" data-hint="Events of all jobs that show it">
              {count(row.occurrence_count)}
            </span>
          </li>
        ))}
      </ul>
      {group.rows.length > few && (
        <LinkButton aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show the strongest only' : `Show all ${count(group.rows.length)}`}
        </LinkButton>
      )}
    </section>
  );
}
