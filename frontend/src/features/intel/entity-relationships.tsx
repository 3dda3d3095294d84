import { IconAffiliate, IconFilterOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RelationGroup } from '@svc/contracts';
import { entityRelationshipsQuery, type RelationsNarrowed } from '../../api/intel.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { ScopeNotices } from './entity-scope.tsx';
import { EntityLink } from './entity-link.tsx';
import styles from './entity-overview.module.css';
import relation from './entity-relationships.module.css';
import { EntityTypeMark } from './entity-types.tsx';
import { RelationshipFilters, type NarrowChange } from './relationship-filters.tsx';
import { RelationshipPeek } from './relationship-peek.tsx';

const few = 10;

interface RelationshipsProps {
  readonly id: number;
  readonly job: number | undefined;
  readonly narrowed: RelationsNarrowed;
  readonly onNarrow: (change: NarrowChange) => void;
}

/** How it is related to others, by type and direction, the strongest first; a count opens what shows it. */
export function EntityRelationships({ id, job, narrowed, onNarrow }: RelationshipsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(entityRelationshipsQuery(id, job, narrowed));
  const [opened, setOpened] = useState<number | null>(null);
  const from = useRef<HTMLElement | null>(null);
  if (data === undefined) {
    if (error) return <ErrorState what="The relationships cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  if (data.kinds.length === 0) {
    return (
      <EmptyState icon={IconAffiliate} title="Nothing is known of how it is related to others">
        Relationships come from events that name two things, such as a program and the address that it connects to.
      </EmptyState>
    );
  }
  return (
    <>
      <ScopeNotices notices={data.notices} />
      <RelationshipFilters kinds={data.kinds} narrowed={narrowed} onNarrow={onNarrow} />
      {data.capped && (
        <Notice tone="info">The 1,000 strongest of each direction are shown, of {count(data.total)}.</Notice>
      )}
      {data.groups.length === 0 ? (
        <EmptyState
          icon={IconFilterOff}
          title="No relationship passes the filters"
          action={
            <LinkButton onClick={() => onNarrow({ kinds: undefined, from: undefined, to: undefined })}>
              Show all
            </LinkButton>
          }
        >
          A window of time keeps what events of jobs that you may see show then.
        </EmptyState>
      ) : (
        <div className={cx(relation.groups, isPlaceholderData && relation.leaving)}>
          {data.groups.map((group) => (
            <Group
              key={`${group.rel_type} ${group.direction}`}
              group={group}
              onOpen={(next, button) => {
                from.current = button;
                setOpened(next);
              }}
            />
          ))}
        </div>
      )}
      {opened !== null && (
        <RelationshipPeek
          key={opened}
          id={opened}
          onClose={() => {
            setOpened(null);
            if (from.current?.isConnected) from.current.focus();
          }}
        />
      )}
    </>
  );
}

function Group(props: { group: RelationGroup; onOpen: (relationship: number, from: HTMLElement) => void }) {
  const { group, onOpen } = props;
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
            <button
              type="button"
              className={relation.evidence}
              aria-haspopup="dialog"
              aria-label={`Evidence of ${row.other.value}, ${counted(row.occurrence_count, 'event')}`}
              data-hint="Events of all jobs that show it; opens those that you may see"
              onClick={({ currentTarget }) => onOpen(row.relationship_id, currentTarget)}
            >
              {counted(row.occurrence_count, 'event')}
            </button>
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
