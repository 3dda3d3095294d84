import type { EntityType } from '@svc/domain';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useDeferredValue, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { entityCountsQuery } from '../../api/aliases.ts';
import { entityGraphQuery, entityQuery, firstOfGraph, type RelationsNarrowed } from '../../api/intel.ts';
import { queryClient } from '../../api/query-client.ts';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { EntityFindings } from './entity-findings.tsx';
import { EntityHead } from './entity-head.tsx';
import { EntityMitre } from './entity-mitre.tsx';
import { EntityOverview } from './entity-overview.tsx';
import { EntityProcesses } from './entity-processes.tsx';
import { EntityRelationships } from './entity-relationships.tsx';
import { EntityScope } from './entity-scope.tsx';
import { entityView, type EntityView } from './entity-view.ts';
import styles from './entity-page.module.css';

/** Types that processes can be, or name (resolved-intel 5). */
const lineageTypes: ReadonlySet<EntityType> = new Set(['computer', 'executable', 'cmdline_file', 'user', 'hash']);

const EntityGraphTab = lazy(async () => ({ default: (await import('./graph/entity-graph-tab.tsx')).EntityGraphTab }));

const graphComing = <Skeleton height={560} />;

const route = getRouteApi(paths.entity);

/** One thing that logs name: what is known of it over all jobs. */
export function EntityPage({ Discussion }: { Discussion: ComponentType<{ id: number }> }): ReactNode {
  const { entityId: id } = route.useParams();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const entity = useQuery(entityQuery(id));
  const { view: tab = 'overview', page = 1, hops = 1, aliases = false } = view;
  const onlyJob = entity.data?.auto_job ?? undefined;
  const job = view.job === undefined ? onlyJob : view.job || undefined;
  const isScoped = view.job !== undefined || entity.data !== undefined;
  // The address says what is shown, for whoever it is sent to.
  useEffect(() => {
    if (view.job !== undefined || onlyJob === undefined) return;
    void navigate({ search: (now) => ({ ...now, job: onlyJob }), replace: true, resetScroll: false });
  }, [view.job, onlyJob, navigate]);
  const [hasGraphTab, setHasGraphTab] = useState(false);
  // After all that the first picture asks for, and never in its way.
  const isShown = useDeferredValue(entity.data !== undefined, false);
  const isQuiet = useIsFetching({ predicate: ({ state }) => state.data === undefined }) === 0;
  const { data: counts } = useQuery({
    ...entityCountsQuery(id, job, aliases),
    enabled: isShown && isQuiet,
  });
  // Meanwhile, not after.
  useEffect(() => {
    if (tab !== 'graph' || hasGraphTab) return;
    void EntityGraphTab.preload().then(() => setHasGraphTab(true));
    // Of which job is in the address, or in the answer that is on its way.
    if (isScoped) void queryClient.prefetchQuery(entityGraphQuery(id, { ...firstOfGraph, hops, job }));
  }, [tab, hasGraphTab, isScoped, id, hops, job]);
  const change = (changed: { readonly [K in keyof EntityView]?: EntityView[K] | undefined }) =>
    void navigate({ search: (now) => entityView({ ...now, page: undefined, ...changed }), resetScroll: false });
  if (entity.data === undefined) {
    if (entity.isError)
      return (
        <ErrorState
          whole
          what="There is nothing to show here"
          error={entity.error}
          retry={() => void entity.refetch()}
        />
      );
    return (
      <div className={styles.loading} role="status" aria-busy="true" aria-label="The entity is loading">
        <Skeleton width="40%" height={24} />
        <Skeleton width="60%" />
        <Skeleton height={240} />
      </div>
    );
  }
  const openJob = (next: number | undefined) => change({ job: next ?? (onlyJob === undefined ? undefined : 0) });
  return (
    <>
      <title>{`${entity.data.value} · svc`}</title>
      <EntityHead entity={entity.data} job={job} />
      <Tabs
        label="What is known of it"
        value={tab}
        tabs={[
          ['overview', 'Overview'],
          ['findings', 'Findings', counts?.findings],
          ['relationships', 'Relationships', counts?.relationships],
          ['mitre', 'ATT&CK'],
          ...(lineageTypes.has(entity.data.entity_type) ? [['processes', 'Processes'] as const] : []),
          ['graph', 'Graph'],
          ['discussion', 'Discussion', entity.data.comment_count],
        ]}
        onChange={(next) => change({ view: next === 'overview' ? undefined : next, comment: undefined })}
        isAsideWide
        aside={
          tab !== 'overview' &&
          tab !== 'discussion' && <EntityScope id={id} job={job} hasAll={tab !== 'processes'} onJob={openJob} />
        }
      >
        {tab === 'overview' && <EntityOverview entity={entity.data} view={view} onChange={change} />}
        {tab === 'findings' && (
          <EntityFindings id={id} job={job} page={page} withAliases={aliases} onPage={(to) => change({ page: to })} />
        )}
        {tab === 'relationships' && (
          <EntityRelationships id={id} job={job} narrowed={narrowedBy(view)} onNarrow={change} />
        )}
        {tab === 'mitre' && <EntityMitre id={id} job={job} />}
        {tab === 'processes' && <EntityProcesses id={id} job={job} onJob={openJob} />}
        {tab === 'graph' &&
          // React keeps back what it suspends for 300 ms, which is a fifth of what the first picture may take.
          (hasGraphTab ? (
            <Suspense fallback={graphComing}>
              <EntityGraphTab key={id} id={id} job={job} hops={hops} onChange={change} />
            </Suspense>
          ) : (
            graphComing
          ))}
        {tab === 'discussion' && (
          <div className={styles.discussion}>
            <Discussion id={id} />
          </div>
        )}
      </Tabs>
    </>
  );
}

function narrowedBy({ kinds, from, to }: EntityView): RelationsNarrowed {
  return { ...(kinds && { kinds }), ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
