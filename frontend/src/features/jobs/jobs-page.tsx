import { Button } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { jobsQuery } from '../../api/queries.ts';
import { paths } from '../../paths.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { JobsTable, JobsTableSkeleton } from './jobs-table.tsx';
import { Pager } from './pager.tsx';
import { completed, densities, keepView, pageSizes, type JobsView } from './jobs-view.ts';
import { Switcher } from '../../ui/switcher.tsx';

const route = getRouteApi(paths.jobs);
const POLL_MS = 5000;

/** All jobs that the visitor may read, newest first. */
export function JobsPage() {
  const { page, per, view } = completed(route.useSearch());
  const navigate = route.useNavigate();
  const jobs = useQuery({ ...jobsQuery(page, per), refetchInterval: POLL_MS });
  const change = (changed: JobsView) => {
    keepView({ per, view, ...changed });
    void navigate({ search: (search) => ({ ...search, ...changed }) });
  };
  return (
    <>
      <title>Jobs · svc</title>
      <PageHead title="Jobs" total={jobs.data?.total}>
        <Switcher
          label="Row height"
          value={view}
          options={densities.map((density) => [density, density === 'compact' ? 'Compact' : 'Roomy'])}
          onChange={(density) => change({ view: density })}
        />
        <Switcher
          label="Rows a page"
          value={per}
          options={pageSizes.map((size) => [size, String(size)])}
          onChange={(size) => change({ per: size, page: 1 })}
        />
      </PageHead>
      {jobs.data === undefined && jobs.isError ? (
        <ErrorState what="The jobs cannot be listed" error={jobs.error} retry={() => void jobs.refetch()} />
      ) : jobs.data === undefined ? (
        <JobsTableSkeleton density={view} />
      ) : jobs.data.total === 0 ? (
        <EmptyState
          icon={IconListSearch}
          title="No jobs yet"
          action={<Button renderRoot={(props) => <Link to={paths.submit} {...props} />}>Submit a log</Button>}
        >
          Every submitted log becomes a job, and its report stays here.
        </EmptyState>
      ) : (
        <>
          <JobsTable key={`${page}-${per}`} list={jobs.data} density={view} stale={jobs.isError} />
          <Pager list={jobs.data} onPage={(to) => change({ page: to })} />
        </>
      )}
    </>
  );
}
