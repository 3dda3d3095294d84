import { Button } from '@mantine/core';
import { operations, type CaseDetails, type CaseEntity } from '@svc/contracts';
import { entityTypes, type EntityType } from '@svc/domain';
import { IconPlus, IconTarget, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { caseEntitiesQuery, useCaseDeed } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { OptionField } from '../../ui/option-field.tsx';
import { PartPager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useRowKeys } from '../../ui/selection/row-keys.ts';
import { SELECT_WIDTH, SelectAll, SelectRow } from '../../ui/selection/select-rows.tsx';
import { nothing, reaching, toggled, withAll, type Row, type Selection } from '../../ui/selection/selection.ts';
import bar from '../../ui/selection/selection-bar.module.css';
import { SortHead } from '../../ui/sort-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Tags } from '../../ui/tag.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './case-links.module.css';
import { CaseEnrichment } from './case-enrichment.tsx';
import { LinkNote } from './link-note.tsx';
import { PickEntities } from './pick-entities.tsx';
import { typeNames } from '../../ui/entity-type-names.ts';

type Sort = 'added' | 'jobs';

/** What the case is about: those of the most of its jobs first, if wanted. */
export function CaseEntities({ of }: { of: CaseDetails }) {
  const [{ q, type, sort, page }, setAsked] = useState({ q: '', type: '', sort: 'jobs' as Sort, page: 1 });
  const [isPicking, setPicking] = useState(false);
  const change = (changed: object) => setAsked((now) => ({ ...now, page: 1, ...changed }));
  const list = useQuery(caseEntitiesQuery({ id: of.id, q, entity_type: type as EntityType | '', sort, page }));
  const add = (
    <Button variant="default" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setPicking(true)}>
      Add entities
    </Button>
  );
  return (
    <>
      <div className={styles.bar}>
        <SearchField
          label="Filter entities"
          placeholder="A part of the value"
          value={q}
          isMain
          onChange={(text) => change({ q: text })}
        />
        <OptionField
          label="Type"
          value={type}
          options={[['', 'All types'], ...entityTypes.map((one) => [one, typeNames[one]] as const)]}
          onChange={(next) => change({ type: next })}
        />
        {list.data !== undefined && (
          <span className="faint">
            {count(list.data.total)} of {count(list.data.grand_total)}
          </span>
        )}
        <CaseEnrichment id={of.id} />
        {add}
      </div>
      {list.data === undefined ? (
        list.isError ? (
          <ErrorState what="The entities cannot be read" error={list.error} retry={() => void list.refetch()} />
        ) : (
          <div role="status" aria-busy="true" aria-label="Entities are loading">
            <Skeleton height={240} />
          </div>
        )
      ) : list.data.total === 0 ? (
        <EmptyState
          icon={IconTarget}
          title={list.data.grand_total === 0 ? 'No entity is in this case yet' : 'None of its entities is like that'}
        >
          Hosts, accounts, hashes and addresses that the investigation is about, with a note on why each is here.
        </EmptyState>
      ) : (
        <>
          <Rows
            key={`${q} ${type} ${page}`}
            of={of}
            rows={list.data.entities}
            isLeaving={list.isPlaceholderData}
            sort={sort}
            onSort={(next) => change({ sort: next })}
          />
          {list.data.total_pages > 1 && (
            <PartPager
              part={list.data}
              rows={list.data.entities.length}
              onPage={(next) => setAsked((now) => ({ ...now, page: next }))}
            />
          )}
        </>
      )}
      {isPicking && <PickEntities id={of.id} onClose={() => setPicking(false)} />}
    </>
  );
}

interface RowsProps {
  readonly of: CaseDetails;
  readonly rows: readonly CaseEntity[];
  readonly isLeaving: boolean;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

function Rows({ of, rows, isLeaving, sort, onSort }: RowsProps) {
  const [selection, setSelection] = useState<Selection<true>>(nothing);
  const card = useRef<HTMLDivElement>(null);
  const note = useCaseDeed(operations.noteCaseEntity);
  const remove = useCaseDeed(operations.removeCaseEntities);
  const all = rows.map(({ id }): Row<true> => [id, true]);
  const toggle = (id: number, isRange: boolean) =>
    setSelection((now) => (isRange ? reaching(now, [id, true], all) : toggled(now, [id, true])));
  const clear = () => (selection.rows.size > 0 ? setSelection(nothing) : false);
  useRowKeys(card, { onSelect: of.can_edit ? toggle : () => undefined, onClear: clear });
  const error = note.error ?? remove.error;
  const take = (ids: readonly number[]) =>
    remove.mutate({ id: of.id, entity_ids: [...ids] }, { onSuccess: () => setSelection(nothing) });
  return (
    <>
      {error && <Failure error={error} />}
      <div ref={card} className={cx('card', styles.window, isLeaving && styles.leaving)}>
        <table className={table.table}>
          <colgroup>
            {of.can_edit && <col style={{ width: SELECT_WIDTH }} />}
            <col />
            <col className={styles.typeColumn} />
            <col className={styles.numberColumn} />
            <col className={styles.numberColumn} />
            <col className={styles.noteColumn} />
            <col className={styles.addedColumn} />
            {of.can_edit && <col className={styles.deedColumn} />}
          </colgroup>
          <thead>
            <tr>
              {of.can_edit && (
                <th scope="col">
                  <SelectAll
                    things="entities"
                    chosen={selection.rows.size}
                    of={rows.length}
                    onToggleAll={(isChosen) => setSelection((now) => withAll(now, all, isChosen))}
                  />
                </th>
              )}
              <th scope="col">Value</th>
              <th scope="col">Type</th>
              <SortHead
                label="Here"
                hint="Jobs of the case that name it"
                isNumber
                direction={sort === 'jobs' ? 'descending' : undefined}
                first="descending"
                onSort={() => onSort('jobs')}
              />
              <th scope="col" className="num" data-hint="Jobs that name it, of everybody">
                Anywhere
              </th>
              <th scope="col">Why it is here</th>
              <SortHead
                label="Added"
                direction={sort === 'added' ? 'descending' : undefined}
                first="descending"
                onSort={() => onSort('added')}
              />
              {of.can_edit && (
                <th scope="col">
                  <span className="sr-only">Take out</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((entity) => (
              <tr key={entity.id} data-id={entity.id} className={cx(table.row, entity.allowlisted && 'faint')}>
                {of.can_edit && (
                  <td>
                    <SelectRow
                      name={entity.value}
                      isChosen={selection.rows.has(entity.id)}
                      onToggle={(isRange) => toggle(entity.id, isRange)}
                    />
                  </td>
                )}
                <td>
                  <span className={styles.named}>
                    <Link
                      to={paths.entity}
                      params={{ entityId: entity.id }}
                      className={styles.value}
                      title={entity.value}
                      data-row
                    >
                      {entity.value}
                    </Link>
                    <Tags tags={entity.tags} />
                  </span>
                </td>
                <td>{typeNames[entity.entity_type]}</td>
                <td className="num">{count(entity.case_jobs)}</td>
                <td className="num">{count(entity.job_count)}</td>
                <td>
                  <LinkNote
                    what={entity.value}
                    note={entity.note}
                    canChange={entity.can_note}
                    isBusy={note.isPending}
                    onSave={(text, done) =>
                      note.mutate({ id: of.id, entity_id: entity.id, note: text }, { onSuccess: done })
                    }
                  />
                </td>
                <td className="cut">
                  <Age iso={entity.added_at} /> <span className="faint">{entity.added_by}</span>
                </td>
                {of.can_edit && (
                  <td>
                    <button
                      type="button"
                      className={styles.pencil}
                      aria-label={`Take ${entity.value} out`}
                      data-hint="Take it out of the case"
                      onClick={() => take([entity.id])}
                    >
                      <IconX size={14} stroke={1.75} aria-hidden="true" />
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {selection.rows.size > 0 && (
        <section className={bar.bar} aria-label="Chosen entities">
          <strong>{counted(selection.rows.size, 'entity', 'entities')}</strong>
          <Button variant="default" loading={remove.isPending} onClick={() => take([...selection.rows.keys()])}>
            Take out of the case
          </Button>
        </section>
      )}
    </>
  );
}
