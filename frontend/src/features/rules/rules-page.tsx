import { getRouteApi, Link } from '@tanstack/react-router';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListSearch } from '@tabler/icons-react';
import { packRulesQuery } from '../../api/rule-packs.ts';
import { paths } from '../../paths.ts';
import { counted } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Coverage } from './coverage.tsx';
import { RulePanel } from './rule-panel.tsx';
import { RulesList } from './rules-list.tsx';
import styles from './rules-page.module.css';
import { changedRules, rulesQueryOf, type RulesChange } from './rules-view.ts';

const route = getRouteApi(paths.packRules);

/** The rules of a pack: what it covers, each with its source and where it fired. */
export function RulesPage() {
  const { pack } = route.useParams();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: RulesChange) =>
    void navigate({ search: (search) => changedRules(search, changes), replace: true, resetScroll: false });
  const query = packRulesQuery(pack, rulesQueryOf(view));
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <>
      <title>{`Rules of ${pack} · svc`}</title>
      <PageHead title={`Rules of ${pack}`} total={data?.total}>
        <Link to={paths.rulePacks}>All packs</Link>
      </PageHead>
      {error ? (
        <ErrorState what="The rules cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} />
      ) : (
        <>
          <Coverage coverage={data.coverage} view={view} onChange={change} />
          <div className={styles.split}>
            <RulesList list={data} view={view} onChange={change} />
            {view.rule === undefined ? (
              <div className="card">
                <EmptyState icon={IconListSearch} title="Choose a rule">
                  {counted(data.total, 'rule')} to look at, each with its source and the jobs in which it fired.
                </EmptyState>
              </div>
            ) : (
              <RulePanel key={view.rule} pack={pack} id={view.rule} />
            )}
          </div>
        </>
      )}
    </>
  );
}
