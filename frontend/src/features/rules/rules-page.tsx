import { getRouteApi, Link } from '@tanstack/react-router';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListSearch } from '@tabler/icons-react';
import { severities } from '@svc/domain';
import { packRulesQuery } from '../../api/rule-packs.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Gate } from '../auth/gate.tsx';
import { Coverage } from './coverage.tsx';
import { RulePanel } from './rule-panel.tsx';
import styles from './rules-page.module.css';
import { changedRules, type RulesChange } from './rules-view.ts';

const route = getRouteApi(paths.packRules);

/** The rules of a pack: what it covers, each with its source and where it fired. */
export function RulesPage() {
  return <Gate admin>{() => <Rules />}</Gate>;
}

function Rules() {
  const { pack } = route.useParams();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: RulesChange) =>
    void navigate({ search: (search) => changedRules(search, changes), replace: true, resetScroll: false });
  const { rule: chosen, page = 1, source, ...filters } = view;
  const query = {
    ...filters,
    page,
    ...(source && { log_source: source }),
    decided: filters.decided ? 'true' : 'false',
  };
  const { data, error, refetch } = useQuery({ ...packRulesQuery(pack, query), placeholderData: keepPreviousData });
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
          <Coverage
            counts={data.coverage.tactics}
            techniques={Object.keys(data.coverage.techniques).length}
            chosen={view.tactic}
            onChoose={(tactic) => change({ tactic })}
          />
          <div className={styles.split}>
            <section className={cx('card', styles.list)} aria-label="Rules">
              <div className={styles.tools}>
                <SearchField
                  label="Search rules"
                  placeholder="Title, id, tag or path"
                  value={view.q ?? ''}
                  onChange={(q) => change({ q: q || undefined })}
                />
                <Choice
                  label="Level"
                  value={view.level ?? ''}
                  options={[['', 'Any level'], ...severities.map((level) => [level, sentence(level)] as const)]}
                  onChange={(level) => change({ level: severities.find((one) => one === level) })}
                />
                <Choice
                  label="Log source"
                  value={source ?? ''}
                  options={[
                    ['', 'Any log source'],
                    ...data.log_sources.map(({ name, rules }) => [name, `${name} (${count(rules)})`] as const),
                  ]}
                  onChange={(next) => change({ source: next || undefined })}
                />
                <LinkButton onClick={() => change({ decided: view.decided ? undefined : true })}>
                  {view.decided ? 'All rules' : 'Only changed ones'}
                </LinkButton>
              </div>
              <ul className={styles.rows}>
                {data.rules.map((rule) => (
                  <li key={`${rule.path} ${rule.title}`}>
                    <button
                      type="button"
                      className={cx(styles.row, !rule.enabled && styles.off)}
                      aria-pressed={rule.rule_id !== null && rule.rule_id === chosen}
                      disabled={rule.rule_id === null}
                      onClick={() => change({ rule: rule.rule_id ?? undefined })}
                    >
                      <SeverityMark severity={rule.level_override ?? rule.level} />
                      <span className={styles.title}>{rule.title}</span>
                      <span className={cx(styles.about, 'cut')}>
                        {rule.enabled ? (rule.log_source?.join(' · ') ?? 'correlation') : 'switched off'}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
              {data.total === 0 && <p className={styles.none}>No rule passes these filters.</p>}
              {data.total_pages > 1 && (
                <div className={styles.pages}>
                  <LinkButton disabled={data.page === 1} onClick={() => change({ page: data.page - 1 })}>
                    Previous
                  </LinkButton>
                  <span>
                    Page {data.page} of {data.total_pages}
                  </span>
                  <LinkButton disabled={data.page === data.total_pages} onClick={() => change({ page: data.page + 1 })}>
                    Next
                  </LinkButton>
                </div>
              )}
            </section>
            {chosen === undefined ? (
              <div className="card">
                <EmptyState icon={IconListSearch} title="Choose a rule">
                  {counted(data.total, 'rule')} to look at: their source, and the jobs in which they fired.
                </EmptyState>
              </div>
            ) : (
              <RulePanel key={chosen} pack={pack} id={chosen} />
            )}
          </div>
        </>
      )}
    </>
  );
}
