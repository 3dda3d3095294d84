import { Button } from '@mantine/core';
import { asPreferences, densities, pageSizes, type JobSort } from '@svc/contracts';
import { IconArrowUp, IconRefresh } from '@tabler/icons-react';
import { hashKey, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { keepPreferences } from '../../api/jobs-preferences.ts';
import { jobsQuery } from '../../api/queries.ts';
import { meQuery } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { counted, totalOf } from '../../ui/format.ts';
import { lazy } from '../../ui/lazy.ts';
import { MakeRule } from '../../ui/make-rule.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SearchBox } from '../../ui/search/search-box.tsx';
import { SELECT_WIDTH } from '../../ui/selection/select-rows.tsx';
import { Switcher } from '../../ui/switcher.tsx';
import { useKept } from '../../ui/use-kept.ts';
import { useRoom } from '../../ui/use-room.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { offeredColumns, readColumns, shownColumns, type ColumnKey } from './columns.ts';
import { jobsLanguage } from './jobs-language.ts';
import styles from './jobs-page.module.css';
import { JobsResult } from './jobs-result.tsx';
import { JobsTableSkeleton } from './jobs-table.tsx';
import { completed, isNarrowed, jobsView, sortingOf, type JobsView, type ViewChange } from './jobs-view.ts';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import { SearchNotes } from './search-notes.tsx';
import type { TagPickerPart } from './selection-bar.tsx';
import { useSettledJobs } from './use-settled-jobs.ts';

const RerunSearch = lazy(async () => ({ default: (await import('./rerun-search.tsx')).RerunSearch }));

const route = getRouteApi(paths.jobs);
const POLL_MS = 5000;

/** All jobs that the visitor may read, newest first or as sorted. */
export function JobsPage({ TagPicker }: { TagPicker: TagPickerPart }) {
  const address = route.useSearch();
  const view = completed(address);
  const navigate = route.useNavigate();
  const { data: me, isPending: isMePending } = useQuery(meQuery);
  const search = { q: view.q, tags: view.tags };
  const listQuery = jobsQuery(
    view.page,
    { ...search, cursor: address.cursor, sort: address.sort, order: address.order },
    asPreferences(address),
  );
  const jobs = useQuery({ ...listQuery, refetchInterval: POLL_MS });
  const settled = useSettledJobs(jobs.data, hashKey(listQuery.queryKey));
  const [isRerunning, setRerunning] = useState(false);
  const { ref, room } = useRoom<HTMLDivElement>();
  const [kept, setKept] = useKept<ColumnKey[] | null>('svc-jobs-columns', null);
  const { view: density, per } = view;
  const canSelect = Boolean(me);
  const offered = offeredColumns(me?.role === 'member' || me?.role === 'admin');
  // The border of the card is two pixels.
  const inside = room - 2;
  const free = inside - (canSelect ? SELECT_WIDTH : 0);
  const shown = shownColumns(offered, { chosen: readColumns(kept), room: free, density });
  const change = (changed: ViewChange) => {
    keepPreferences(asPreferences(changed));
    // How rows look is no place to come back to.
    const isLook = changed.view !== undefined || changed.per !== undefined;
    void navigate({
      // A cursor is that of one page.
      search: (now) => jobsView({ ...now, ...(changed.page !== undefined && { cursor: undefined }), ...changed }),
      replace: isLook,
      resetScroll: !isLook,
    });
  };
  const sorting = sortingOf(address);
  const layout = {
    shown,
    density,
    room: inside,
    sorting: { ...sorting, onSort: (by: JobSort) => change(sorting.chosen(by)) },
  };
  const searchFor = (changed: Pick<JobsView, 'q' | 'tags'>) => change({ ...changed, page: 1 });
  return (
    <>
      <title>Jobs · svc</title>
      <PageHead title="Jobs" total={jobs.data && totalOf(jobs.data)}>
        {settled && settled.arrived > 0 && (
          <button type="button" className={styles.arrived} onClick={() => settled.reopen()}>
            <IconArrowUp size={14} stroke={2} aria-hidden="true" /> {counted(settled.arrived, 'new job')}
          </button>
        )}
        {(me?.role === 'member' || me?.role === 'admin') && isNarrowed(view) && (
          <MakeRule scope="job" q={view.q} tags={view.tags} />
        )}
        {me && isNarrowed(view) && Boolean(jobs.data?.total) && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} stroke={1.75} />}
            data-hint="Analyses what is found again, with newer rules"
            onClick={() => setRerunning(true)}
          >
            Re-run all…
          </Button>
        )}
        <Switcher
          label="Row height"
          value={density}
          options={densities.map((one) => [one, one === 'compact' ? 'Compact' : 'Roomy'])}
          onChange={(chosen) => change({ view: chosen })}
        />
        <Switcher
          label="Rows a page"
          value={per}
          options={pageSizes.map((size) => [size, String(size)])}
          onChange={(size) => change({ per: size, page: 1 })}
        />
        <ColumnsMenu offered={offered} shown={shown} onChange={setKept} />
      </PageHead>
      <div className={styles.searching}>
        <SearchBox
          language={jobsLanguage}
          value={view.q}
          refused={jobs.data?.query_errors ?? []}
          onSearch={(q) => searchFor({ q })}
        />
        <SavedViewsMenu view={address} />
      </div>
      <SearchNotes
        isNarrowed={isNarrowed(view)}
        tags={view.tags}
        list={jobs.data}
        onTags={(tags) => searchFor({ tags })}
      />
      <div ref={ref} data-full-width>
        {isMePending ? (
          <JobsTableSkeleton {...layout} rows={per} selectable={canSelect} />
        ) : (
          <JobsResult
            key={hashKey([search])}
            search={search}
            jobs={jobs}
            settled={settled}
            per={per}
            layout={layout}
            canSelect={canSelect}
            TagPicker={TagPicker}
            onClearSearch={() => searchFor({ q: '', tags: [] })}
            onPage={(page, cursor) => change({ page, ...(cursor !== undefined && { cursor }) })}
          />
        )}
      </div>
      <Suspense>{isRerunning && <RerunSearch search={search} onClose={() => setRerunning(false)} />}</Suspense>
    </>
  );
}
