import type { CaseDetails, CaseFinding } from '@svc/contracts';
import { reviewStates, tactics, type ReviewState, type Tactic } from '@svc/domain';
import { IconSearchOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { caseActorsQuery, caseFindingsQuery } from '../../api/case-story.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { count, counted, sentence } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { OptionField } from '../../ui/option-field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { SeverityChips } from '../../ui/severity-chips.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { tacticName } from '../../ui/tactic-names.ts';
import { Time } from '../../ui/time.tsx';
import { useCaseView } from './use-case-view.ts';
import styles from './case-findings.module.css';

/** What every job of the case found, worst first, to narrow down; a row opens the finding in its report. */
export function CaseFindings({ of }: { of: CaseDetails }) {
  const [view] = useCaseView();
  const { job, severity, rule, host, tactic, state, suppressed } = view;
  const found = useInfiniteQuery({
    ...caseFindingsQuery(of.id, {
      ...(job !== undefined && { job_id: job }),
      ...(severity !== undefined && { severity: severity.join(',') }),
      ...(rule !== undefined && { q: rule }),
      ...(host !== undefined && { host }),
      ...(tactic !== undefined && { tactic }),
      ...(state !== undefined && { state }),
      ...(suppressed === true && { suppressed }),
    }),
    placeholderData: keepPreviousData,
  });
  if (found.data === undefined) {
    if (found.error) {
      return <ErrorState what="The findings cannot be read" error={found.error} retry={() => void found.refetch()} />;
    }
    return <Skeleton height={320} />;
  }
  const [first] = found.data.pages;
  const rows = found.data.pages.flatMap(({ findings }) => findings);
  return (
    <>
      <Filters of={of} severities={first!.severities} />
      <p className={styles.facts} role="status">
        {counted(first!.total, 'finding')}
        {suppressed ? ' suppressed' : ''} ·{' '}
        <Link to={paths.suppressions} search={{ case: of.id }}>
          Suppressions of this case
        </Link>
      </p>
      {rows.length === 0 ? (
        <EmptyState icon={IconSearchOff} title="No finding is like that">
          None of the jobs of this case that you see found it.
        </EmptyState>
      ) : (
        <div className={cx('card', styles.wrap)}>
          <Rows findings={rows} />
        </div>
      )}
      {found.hasNextPage && (
        <p className={styles.more}>
          <LinkButton disabled={found.isFetching} onClick={() => void found.fetchNextPage()}>
            Show more of the {count(first!.total)}
          </LinkButton>
        </p>
      )}
    </>
  );
}

function Filters({ of, severities }: { of: CaseDetails; severities: Parameters<typeof SeverityChips>[0]['findings'] }) {
  const [view, change] = useCaseView();
  const { data } = useQuery(caseActorsQuery(of.id));
  const hosts = data?.hosts.map(({ name }) => name) ?? [];
  // One that an address names stays to be chosen.
  const named = view.host === undefined || hosts.includes(view.host) ? hosts : [view.host, ...hosts];
  return (
    <div className={styles.filters}>
      <SeverityChips chosen={view.severity} onChange={change} {...(severities && { findings: severities })} />
      <SearchField
        isMain
        label="Rules"
        placeholder="Name or id of a rule"
        value={view.rule ?? ''}
        onChange={(rule) => change({ rule: rule === '' ? undefined : rule })}
      />
      <OptionField
        label="Log"
        value={view.job ?? ''}
        options={[['', 'All logs'], ...(data?.jobs.map(({ id, filename }) => [id, filename] as const) ?? [])]}
        onChange={(job) => change({ job: job === '' ? undefined : Number(job) })}
      />
      <OptionField
        label="Host"
        value={view.host ?? ''}
        options={[['', 'All hosts'], ...named.map((name) => [name, name] as const)]}
        onChange={(host) => change({ host: host === '' ? undefined : host })}
      />
      <OptionField
        label="Tactic"
        value={view.tactic ?? ''}
        options={[['', 'All tactics'], ...tactics.map((name) => [name, tacticName(name)] as const)]}
        onChange={(tactic) => change({ tactic: tactic === '' ? undefined : (tactic as Tactic) })}
      />
      <OptionField
        label="Decided"
        value={view.state ?? ''}
        options={[['', 'Whatever'], ...reviewStates.map((name) => [name, sentence(name)] as const)]}
        onChange={(state) => change({ state: state === '' ? undefined : (state as ReviewState) })}
      />
      <OptionField
        label="Which"
        value={view.suppressed ? 'suppressed' : ''}
        options={[
          ['', 'Those that count'],
          ['suppressed', 'Suppressed'],
        ]}
        onChange={(which) => change({ suppressed: which === '' ? undefined : true })}
      />
      {view.job !== undefined && data && !data.jobs.some(({ id }) => id === view.job) && (
        <FilterChip text={`Job ${view.job}`} onRemove={() => change({ job: undefined })} />
      )}
    </div>
  );
}

function Rows({ findings }: { findings: readonly CaseFinding[] }) {
  return (
    <table className={table.table}>
      <colgroup>
        <col style={{ width: 56 }} />
        <col />
        <col style={{ width: '18%' }} />
        <col style={{ width: '18%' }} />
        <col style={{ width: 168 }} />
        <col style={{ width: 88 }} />
        <col style={{ width: 96 }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Severity</span>
          </th>
          <th scope="col">Rule</th>
          <th scope="col">Log</th>
          <th scope="col">Hosts</th>
          <th scope="col">First (UTC)</th>
          <th scope="col" className="num">
            Events
          </th>
          <th scope="col">Decided</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <tr key={finding.id} className={table.row}>
            <td>
              <SeverityMark severity={finding.severity} />
            </td>
            <td data-hint={finding.rule_name}>
              <Link to={paths.job} params={{ jobId: finding.job_id }} search={{ finding: finding.id }}>
                {finding.rule_name}
              </Link>
            </td>
            <td data-hint={finding.filename}>{finding.filename}</td>
            <td data-hint={hostsOf(finding)}>{hostsOf(finding)}</td>
            <td>{finding.first_seen && <Time iso={finding.first_seen} />}</td>
            <td className="num">{count(finding.count)}</td>
            <td>{finding.state === 'new' ? '' : sentence(finding.state)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function hostsOf({ hosts, hosts_total: total }: CaseFinding): string {
  if (total === null) return 'many, or not kept';
  return total > hosts.length ? `${hosts.join(', ')} and ${total - hosts.length} more` : hosts.join(', ');
}
