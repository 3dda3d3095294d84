import { useQuery } from '@tanstack/react-query';
import { associatedEntitiesQuery } from '../../api/intel.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { EntityLink } from './entity-link.tsx';
import styles from './entity-overview.module.css';
import { EntityTypeMark } from './entity-types.tsx';

/** What it is related to in the ways that tell most of its type, the strongest of each. */
export function AssociatedEntities({ id, onKind }: { id: number; onKind: (kind: string) => void }) {
  const { data, error, refetch } = useQuery(associatedEntitiesQuery(id));
  if (data === undefined) {
    if (error) return <ErrorState what="This cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={64} />;
  }
  if (data.groups.length === 0) return <p className="soft">No event relates it to another.</p>;
  return data.groups.map(({ label, rel_type: kind, total, rows }) => (
    <section key={label} className={styles.group} aria-label={label}>
      <h3 className={styles.subtitle}>
        {label} <span className="faint">{count(total)}</span>
      </h3>
      <ul className={styles.list}>
        {rows.map(({ other, occurrence_count: events }) => (
          <li key={other.id} className={styles.row}>
            <EntityTypeMark type={other.entity_type} isShort />
            <EntityLink entity={other} className={styles.link} />
            <span className="faint">{counted(events, 'event')}</span>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <LinkButton aria-label={`${count(total - rows.length)} more: ${label}`} onClick={() => onKind(kind)}>
          {count(total - rows.length)} more
        </LinkButton>
      )}
    </section>
  ));
}
