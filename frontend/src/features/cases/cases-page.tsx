import { Button } from '@mantine/core';
import type { ListedCase } from '@svc/contracts';
import { caseStatuses } from '@svc/domain';
import { IconFolders, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { casesPageQuery } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, sentence } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useRowKeys } from '../../ui/selection/row-keys.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { SortHead } from '../../ui/sort-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Switcher } from '../../ui/switcher.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import { casesView, type CaseOrder, type CasesView } from './cases-view.ts';
import styles from './cases-page.module.css';
import { NewCase } from './new-case.tsx';

const route = getRouteApi(paths.cases);
const per = 50;

/** Every case that one may see. */
export function CasesPage() {
  const view = route.useSearch();
  const { q = '', status, sort = 'updated', page = 1, cursor } = view;
  const navigate = route.useNavigate();
  const open = useNavigate();
  const [isOpening, setOpening] = useState(false);
  const list = useQuery(
    casesPageQuery({ q, status: status ?? '', sort, page, ...(cursor !== undefined && { cursor }) }),
  );
  const change = (changed: { readonly [K in keyof CasesView]?: CasesView[K] | undefined }, replace = false) =>
    void navigate({ search: (now) => casesView({ ...now, page: undefined, cursor: undefined, ...changed }), replace });
  const counts = list.data?.status_counts;
  const many = (one: (typeof caseStatuses)[number]) => (counts === undefined ? '' : ` ${count(counts[one] ?? 0)}`);
  return (
    <>
      <title>Cases · svc</title>
      <PageHead title="Cases" total={list.data?.total}>
        <Button leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setOpening(true)}>
          New case
        </Button>
      </PageHead>
      <div className={styles.bar}>
        <SearchField
          label="Search cases"
          placeholder="A part of the name"
          value={q}
          isMain
          onChange={(text) => change({ q: text }, true)}
        />
        <Switcher
          label="Status"
          value={status ?? 'active'}
          options={[
            ['active', 'Open and monitored'],
            ...caseStatuses.map((one) => [one, `${sentence(one)}${many(one)}`] as const),
            ['all', 'All'],
          ]}
          onChange={(next) => change({ status: next === 'active' ? undefined : next })}
        />
      </div>
      <Result
        list={list}
        sort={sort}
        isNarrowed={q !== '' || status !== undefined}
        onSort={(by) => change({ sort: by === 'updated' ? undefined : by })}
        onOpen={() => setOpening(true)}
        onPage={(next, at) => change({ page: next, cursor: at })}
      />
      {isOpening && (
        <NewCase
          onClose={() => setOpening(false)}
          onOpened={(caseId) => void open({ to: paths.case, params: { caseId } })}
        />
      )}
    </>
  );
}

interface ResultProps {
  readonly list: ReturnType<
    typeof useQuery<Awaited<ReturnType<NonNullable<ReturnType<typeof casesPageQuery>['queryFn']>>>>
  >;
  readonly sort: CaseOrder;
  readonly isNarrowed: boolean;
  readonly onSort: (by: CaseOrder) => void;
  readonly onOpen: () => void;
  readonly onPage: (page: number, cursor: string | undefined) => void;
}

function Result({ list, sort, isNarrowed, onSort, onOpen, onPage }: ResultProps) {
  const card = useRef<HTMLDivElement>(null);
  useRowKeys(card, { onSelect: () => undefined, onClear: () => false });
  if (list.data === undefined) {
    if (list.isError)
      return <ErrorState what="The cases cannot be listed" error={list.error} retry={() => void list.refetch()} />;
    return (
      <div role="status" aria-busy="true" aria-label="Cases are loading">
        <Skeleton height={320} />
      </div>
    );
  }
  const { items, total, page, older, newer } = list.data;
  if (items.length === 0) {
    return (
      <EmptyState
        icon={IconFolders}
        title={isNarrowed ? 'No such case' : 'No case is open'}
        action={!isNarrowed && <Button onClick={onOpen}>New case</Button>}
      >
        {isNarrowed
          ? 'Cases of others that are not shared are not shown here.'
          : 'A case holds the jobs and entities of one investigation, and what is said of them.'}
      </EmptyState>
    );
  }
  const head = { sort, onSort };
  return (
    <>
      <div ref={card} className={cx('card', styles.window, list.isPlaceholderData && styles.leaving)}>
        <table className={table.table}>
          <colgroup>
            <col className={styles.markColumn} />
            <col />
            <col className={styles.statusColumn} />
            <col className={styles.numberColumn} />
            <col className={styles.numberColumn} />
            <col className={styles.numberColumn} />
            <col className={styles.ownerColumn} />
            <col className={styles.ageColumn} />
          </colgroup>
          <thead>
            <tr>
              <Head by="severity" label="Sev." {...head} />
              <Head by="name" label="Name" {...head} />
              <th scope="col">Status</th>
              <th scope="col" className="num">
                Jobs
              </th>
              <th scope="col" className="num">
                Entities
              </th>
              <Head by="findings" label="Matches" isNumber {...head} />
              <th scope="col">Owner</th>
              <Head by="updated" label="Updated" isNumber {...head} />
            </tr>
          </thead>
          <tbody>
            {items.map((one) => (
              <CaseRow key={one.id} of={one} />
            ))}
          </tbody>
        </table>
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
  );
}

function CaseRow({ of }: { of: ListedCase }) {
  const worst = of.derived_severity;
  return (
    <tr className={table.row} data-id={of.id}>
      <td>
        {worst === null ? (
          <span className="faint" data-hint="Nothing was found in jobs that you see">
            –
          </span>
        ) : (
          <SeverityMark severity={worst} />
        )}
      </td>
      <td>
        <Link to={paths.case} params={{ caseId: of.id }} className={styles.name} data-row title={of.name}>
          {of.name}
        </Link>
        {of.severity !== null && of.severity !== worst && <span className={styles.note}>held for {of.severity}</span>}
        {of.is_shared && <span className={styles.note}>shared</span>}
      </td>
      <td>{sentence(of.status)}</td>
      <td className="num">{count(of.job_count)}</td>
      <td className="num">{count(of.entity_count)}</td>
      <td className="num">{count(of.total_findings)}</td>
      <td className="cut">{of.owner ?? <span className="faint">nobody</span>}</td>
      <td className="num">
        <Age iso={of.updated_at} />
      </td>
    </tr>
  );
}

function Head(props: {
  by: CaseOrder;
  label: string;
  isNumber?: boolean;
  sort: CaseOrder;
  onSort: (by: CaseOrder) => void;
}) {
  const { by, label, isNumber, sort, onSort } = props;
  const goes = by === 'name' ? 'ascending' : 'descending';
  return (
    <SortHead
      label={label}
      isNumber={isNumber}
      direction={sort === by ? goes : undefined}
      first={goes}
      onSort={() => onSort(by)}
    />
  );
}
