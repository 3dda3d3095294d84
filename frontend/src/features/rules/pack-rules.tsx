import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { packRulesQuery } from '../../api/rule-packs.ts';
import { counted } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Coverage } from './coverage.tsx';
import { RulePanel } from './rule-panel.tsx';
import { RulesList } from './rules-list.tsx';
import styles from './rules-page.module.css';
import { rulesQueryOf, type RulesChange, type RulesView } from './rules-view.ts';

interface PackRulesProps {
  readonly pack: string;
  readonly view: RulesView;
  readonly onChange: (changes: RulesChange) => void;
  /** Leads to all packs. */
  readonly all: ReactNode;
  /** Whether rules can be switched off, given another level and changed here. */
  readonly canDecide: boolean;
}

/** The rules of a pack: what it covers, each with its source and where it fired. */
export function PackRules({ pack, view, onChange: change, all, canDecide }: PackRulesProps) {
  const query = packRulesQuery(pack, rulesQueryOf(view));
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <>
      <title>{`Rules of ${pack} · svc`}</title>
      <PageHead title={`Rules of ${pack}`} total={data?.total}>
        {all}
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
              <RulePanel key={view.rule} pack={pack} id={view.rule} canDecide={canDecide} />
            )}
          </div>
        </>
      )}
    </>
  );
}
