import { useLocalStorage } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { jobsQuery } from '../../api/queries.ts';
import { meQuery } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { counted } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Switcher } from '../../ui/switcher.tsx';
import { useRoom } from '../../ui/use-room.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { offeredColumns, readColumns, shownColumns, type ColumnKey } from './columns.ts';
import styles from './jobs-page.module.css';
import { JobsResult } from './jobs-result.tsx';
import { JobsTableSkeleton } from './jobs-table.tsx';
import { completed, densities, keepView, pageSizes, type JobsView } from './jobs-view.ts';
import { SELECT_WIDTH } from './select-rows.tsx';
import { useSettledJobs } from './use-settled-jobs.ts';

const route = getRouteApi(paths.jobs);
const POLL_MS = 5000;

/** All jobs that the visitor may read, newest first. */
export function JobsPage() {
  const view = completed(route.useSearch());
  const navigate = route.useNavigate();
  const { data: me, isPending: isMePending } = useQuery(meQuery);
  const jobs = useQuery({ ...jobsQuery(view.page, view.per), refetchInterval: POLL_MS });
  const settled = useSettledJobs(jobs.data, `${view.page} ${view.per}`);
  const { ref, room } = useRoom<HTMLDivElement>();
  const [kept, setKept] = useLocalStorage<ColumnKey[] | null>({
    key: 'svc-jobs-columns',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const { view: density, per } = view;
  const canSelect = Boolean(me);
  const offered = offeredColumns(me?.role === 'member' || me?.role === 'admin');
  const free = room - 2 - (canSelect ? SELECT_WIDTH : 0);
  const shown = shownColumns(offered, { chosen: readColumns(kept), room: free, density });
  const layout = { shown, density, room: free };
  const change = (changed: JobsView) => {
    keepView({ per, view: density, ...changed });
    void navigate({ search: (search) => ({ ...search, ...changed }) });
  };
  return (
    <>
      <title>Jobs · svc</title>
      <PageHead title="Jobs" total={jobs.data?.total}>
        {settled && settled.arrived > 0 && (
          <button type="button" className={styles.arrived} onClick={() => settled.reopen()}>
            <IconArrowUp size={14} stroke={2} aria-hidden="true" /> {counted(settled.arrived, 'new job')}
          </button>
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
      <div ref={ref} data-full-width>
        {isMePending ? (
          <JobsTableSkeleton {...layout} rows={per} selectable={canSelect} />
        ) : (
          <JobsResult
            jobs={jobs}
            settled={settled}
            per={per}
            layout={layout}
            canSelect={canSelect}
            onPage={(page) => change({ page })}
          />
        )}
      </div>
    </>
  );
}
