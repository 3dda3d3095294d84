import type { EntityList } from '@svc/contracts';
import { entityLimits } from '@svc/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { entityIds, type EntitiesOrdered } from '../../api/intel.ts';
import { cx } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';
import { Pager } from '../../ui/pager.tsx';
import { useRowKeys } from '../../ui/selection/row-keys.ts';
import { nothing, reaching, toggled, withAll, type Row, type Selection } from '../../ui/selection/selection.ts';
import styles from './entities-page.module.css';
import { EntitiesTable } from './entities-table.tsx';
import type { EntitySorting } from './entities-view.ts';
import { EntitySelectionBar, type TagPickerPart } from './entity-selection-bar.tsx';

interface ResultProps {
  readonly list: UseQueryResult<EntityList> & { readonly data: EntityList };
  readonly narrowed: EntitiesOrdered;
  readonly sort: string | undefined;
  readonly onSort: (by: EntitySorting) => void;
  readonly onPage: (page: number, cursor: string | undefined) => void;
  readonly TagPicker: TagPickerPart;
  /** Stands for the table where there is nothing, also because of what was just done. */
  readonly empty: ReactNode;
}

const per = 50;

/** The entities that a search finds, and what is done with those chosen. */
export function EntitiesResult({ list, narrowed, sort, onSort, onPage, TagPicker, empty }: ResultProps) {
  const { items, total, page, older, newer } = list.data;
  const [selection, setSelection] = useState<Selection<true>>(nothing);
  const card = useRef<HTMLDivElement>(null);
  const rows = items.map(({ id }) => asRow(id));
  const clear = () => (selection.rows.size > 0 ? setSelection(nothing) : false);
  const toggle = (id: number, isRange: boolean) =>
    setSelection((now) => (isRange ? reaching(now, asRow(id), rows) : toggled(now, asRow(id))));
  useRowKeys(card, { onSelect: toggle, onClear: clear });
  const isPageChosen = rows.every(([id]) => selection.rows.has(id));
  return (
    <>
      {total === 0 ? (
        empty
      ) : (
        <>
          <div ref={card} className={cx('card', list.isPlaceholderData && styles.leaving)}>
            <EntitiesTable
              rows={items}
              sort={sort}
              onSort={onSort}
              selecting={{
                chosen: selection.rows,
                onToggle: toggle,
                onToggleAll: (isChosen) => setSelection((now) => withAll(now, rows, isChosen)),
              }}
            />
          </div>
          <Pager
            page={page}
            per={per}
            rows={items.length}
            total={count(total)}
            isByCursor
            older={older}
            newer={newer}
            onPage={onPage}
          />
        </>
      )}
      <EntitySelectionBar
        TagPicker={TagPicker}
        ids={[...selection.rows.keys()]}
        all={isPageChosen && total > selection.rows.size ? Math.min(total, entityLimits.found) : null}
        total={total}
        onSelectAll={async () => {
          const found = await entityIds(narrowed);
          setSelection((now) => withAll(now, found.map(asRow), true));
        }}
        onClear={clear}
      />
    </>
  );
}

function asRow(id: number): Row<true> {
  return [id, true];
}
