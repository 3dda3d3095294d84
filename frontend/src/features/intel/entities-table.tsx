import type { EntityRow } from '@svc/contracts';
import { entityAttributeMeanings } from '@svc/domain';
import type { ReactNode } from 'react';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { SELECT_WIDTH, SelectAll, SelectRow } from '../../ui/selection/select-rows.tsx';
import { SortHead } from '../../ui/sort-head.tsx';
import { Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Tags } from '../../ui/tag.tsx';
import { Age } from '../../ui/time.tsx';
import { directionOf, entitySortings, type EntitySorting } from './entities-view.ts';
import styles from './entities-table.module.css';
import { EntityLink } from './entity-link.tsx';
import { EntityTypeMark } from './entity-types.tsx';
import { StarButton } from './star-button.tsx';

interface Sorting {
  readonly sort: string | undefined;
  readonly onSort: (by: EntitySorting) => void;
}

interface TableProps {
  readonly rows: readonly EntityRow[];
  readonly selecting: {
    readonly chosen: ReadonlyMap<number, unknown>;
    /** A range goes from the row touched last to this one. */
    readonly onToggle: (id: number, isRange: boolean) => void;
    readonly onToggleAll: (isChosen: boolean) => void;
  };
}

/** Entities as rows; a row opens its entity. */
export function EntitiesTable({ rows, selecting, ...sorting }: Sorting & TableProps) {
  const chosen = rows.filter(({ id }) => selecting.chosen.has(id)).length;
  const selectAll = (
    <SelectAll things="entities" chosen={chosen} of={rows.length} onToggleAll={selecting.onToggleAll} />
  );
  return (
    <Layout {...sorting} selectHead={selectAll}>
      {rows.map((entity) => (
        <tr
          key={entity.id}
          data-id={entity.id}
          className={cx(
            table.row,
            entity.allowlisted && styles.muted,
            selecting.chosen.has(entity.id) && styles.chosen,
          )}
        >
          <td className={styles.select}>
            <SelectRow
              name={entity.value}
              isChosen={selecting.chosen.has(entity.id)}
              onToggle={(isRange) => selecting.onToggle(entity.id, isRange)}
            />
          </td>
          <td>
            <span className={styles.value}>
              <EntityLink entity={entity} className={styles.link} isRow />
              <span className={styles.watched}>
                <StarButton entity={entity} />
              </span>
              {entity.alias_count > 0 && (
                <span className={styles.note}>+{counted(entity.alias_count, 'alias', 'aliases')}</span>
              )}
              {entity.allowlisted && <span className={styles.note}>allowlisted</span>}
            </span>
          </td>
          <td>
            <EntityTypeMark type={entity.entity_type} />
          </td>
          <td className="num">{count(entity.job_count)}</td>
          <td>
            <Labels entity={entity} />
          </td>
          <td className="num">
            <Age iso={entity.first_seen_at} />
          </td>
          <td className="num">
            <Age iso={entity.last_seen_at} />
          </td>
        </tr>
      ))}
    </Layout>
  );
}

/** How much of each column its rows take, while they are on their way. */
const columns = Object.entries({ value: '45%', type: '70%', jobs: '40%', labels: '60%', first: '50%', last: '50%' });

/** The table's layout while its rows are on their way. */
export function EntitiesTableSkeleton(sorting: Sorting) {
  const select = <Skeleton width={14} height={14} />;
  return (
    <div className="card" role="status" aria-busy="true" aria-label="Entities are loading">
      <Layout {...sorting} selectHead={select}>
        {Array.from({ length: 50 }, (_, row) => (
          <tr key={row} className={table.row}>
            <td className={styles.select}>{select}</td>
            {columns.map(([name, width]) => (
              <td key={name}>
                <Skeleton width={width} />
              </td>
            ))}
          </tr>
        ))}
      </Layout>
    </div>
  );
}

/** What its value says, and what people and rules say of it; of what both say, the tag alone. */
function Labels({ entity: { attributes, tags } }: { entity: EntityRow }) {
  const tagged = new Set<string>(tags.map(({ tag }) => tag));
  const untagged = attributes.filter((key) => !tagged.has(key));
  return (
    <span className={styles.labels}>
      <Tags tags={tags} />
      {untagged.map((key) => (
        <span key={key} className={styles.attribute} data-hint={entityAttributeMeanings[key]}>
          {key}
        </span>
      ))}
    </span>
  );
}

function Layout({ selectHead, children, ...sorting }: Sorting & { selectHead: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.window}>
      <table className={table.table}>
        <colgroup>
          <col style={{ width: SELECT_WIDTH }} />
          <col />
          <col className={styles.typeColumn} />
          <col className={styles.numberColumn} />
          <col className={styles.labelsColumn} />
          <col className={styles.ageColumn} />
          <col className={styles.ageColumn} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className={styles.select}>
              {selectHead}
            </th>
            <Head by="value" label="Value" {...sorting} />
            <th scope="col">Type</th>
            <Head by="jobs" label="Jobs" isNumber {...sorting} />
            <th scope="col">Tags and attributes</th>
            <Head by="first_seen" label="First seen" isNumber {...sorting} />
            <Head by="last_seen" label="Last seen" isNumber {...sorting} />
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Head({ by, sort, onSort, ...head }: Sorting & { by: EntitySorting; isNumber?: boolean; label: string }) {
  return <SortHead {...head} direction={directionOf(sort, by)} first={entitySortings[by]} onSort={() => onSort(by)} />;
}
