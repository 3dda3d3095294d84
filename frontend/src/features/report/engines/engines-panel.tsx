import { operations, type Agreement } from '@svc/contracts';
import { emptySummary, type SeveritySummary } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { operationQuery } from '../../../api/query-key.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import tools from '../../../ui/panel-tools.module.css';
import { SeverityChips } from '../../../ui/severity-chips.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { IconChecks } from '@tabler/icons-react';
import { FindingsSkeleton } from '../job-skeleton.tsx';
import { useJobView } from '../use-job-view.ts';
import styles from './engines-panel.module.css';

type Engine = Agreement['engines'][number];
type Rule = Agreement['rules'][number];

/** What each engine found, rule by rule, and why they differ where that is known. */
export function EnginesPanel({ jobId }: { jobId: number }) {
  const { data, error, refetch } = useQuery({
    ...operationQuery(operations.getAgreement, { id: jobId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [{ differ, severity }, change] = useJobView();
  if (error) return <ErrorState what="The engines cannot be compared" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  const { engines, rules } = data;
  const differing = rules.filter(({ agreement }) => agreement !== 'all');
  const asked = differ ? differing : rules;
  const shown = severity === undefined ? asked : asked.filter((rule) => severity.includes(rule.severity));
  return (
    <section className={cx('card', tools.card)} aria-label="Engines side by side">
      <header className={tools.tools}>
        <Switcher
          label="Which rules"
          value={differ ? 'differ' : 'all'}
          options={[
            ['all', `All rules ${count(rules.length)}`],
            ['differ', `Disagreement ${count(differing.length)}`],
          ]}
          onChange={(which) => change({ differ: which === 'differ' ? true : undefined })}
        />
        <SeverityChips chosen={severity} onChange={change} findings={bySeverity(asked)} />
        <span className={tools.facts} role="status">
          {count(shown.length)} of {counted(rules.length, 'rule')} shown
        </span>
      </header>
      {shown.length === 0 ? (
        <EmptyState icon={IconChecks} title={differ ? 'No disagreement here' : 'No rule of these severities'}>
          {differ ? 'Every engine that ran found these rules as often as the others.' : 'Take a severity away above.'}
        </EmptyState>
      ) : (
        <RuleTable engines={engines} rules={shown} />
      )}
    </section>
  );
}

function bySeverity(rules: readonly Rule[]): SeveritySummary {
  const sums = { ...emptySummary };
  for (const { severity } of rules) sums[severity] += 1;
  return sums;
}

function RuleTable({ engines, rules }: { engines: readonly Engine[]; rules: readonly Rule[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div className={styles.scroll} role="region" aria-label="Rules by engine" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th className={styles.rule} scope="col">
              Rule
            </th>
            {engines.map((engine) => (
              <EngineHead key={engine.tool} engine={engine} />
            ))}
            <th scope="col" data-hint={'Records that all of them have,\nof the events that are kept'}>
              In common
            </th>
            <th className={styles.why} scope="col">
              Why they differ
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleRow key={`${rule.rule_id} ${rule.rule_name}`} engines={engines} rule={rule} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EngineHead({ engine: { tool, compared, status, error, rules, only, matches } }: { engine: Engine }) {
  return (
    <th className={styles.engine} scope="col">
      <code>{tool}</code>
      <span className={styles.sums} data-hint={compared ? counted(matches, 'match', 'matches') : (error ?? undefined)}>
        {compared ? `${counted(rules, 'rule')}, ${count(only)} only here` : `not compared: ${status}`}
      </span>
    </th>
  );
}

function RuleRow({ engines, rule }: { engines: readonly Engine[]; rule: Rule }) {
  const { rule_name: name, severity, found, agreement, records, causes } = rule;
  return (
    <tr>
      <th className={styles.rule} scope="row">
        <span className={styles.name}>
          <SeverityMark severity={severity} />
          <span>{name}</span>
        </span>
      </th>
      {engines.map((engine, at) => (
        <Cell key={engine.tool} engine={engine} cell={found[at] ?? null} rule={name} />
      ))}
      <td className={styles.figure}>
        {records && (
          <span data-hint={records.complete ? 'Of all matches' : 'Of the events that are kept of each'}>
            {count(records.in_common)} of {count(records.known)}
            {!records.complete && ' kept'}
          </span>
        )}
      </td>
      <td className={styles.why}>
        {agreement === 'all' ? (
          <span className="faint">They agree</span>
        ) : causes.length === 0 ? (
          <span className="faint">No known cause</span>
        ) : (
          <ul className={styles.causes}>
            {causes.map((cause) => (
              <li key={`${cause.tool} ${cause.name}`}>
                <code>{cause.tool}</code>
                {cause.certain ? ': ' : ', may be: '}
                <Coded text={cause.name} />.{' '}
                <span className="soft">
                  <Coded text={cause.why} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
}

function Cell({ engine, cell, rule }: { engine: Engine; cell: Rule['found'][number]; rule: string }) {
  const [, change] = useJobView();
  if (!engine.compared) return <td className={styles.none}>·</td>;
  if (cell === null) {
    return (
      <td className={styles.none}>
        <span aria-hidden="true">–</span>
        <span className="sr-only">not found</span>
      </td>
    );
  }
  return (
    <td className={styles.figure}>
      <LinkButton onClick={() => change({ view: undefined, finding: cell.findings[0] })}>
        {counted(cell.count, 'match', 'matches')}
        <span className="sr-only">
          {' '}
          of {rule} by {engine.tool}
        </span>
      </LinkButton>
      {cell.severity !== null && <span className="soft">, {cell.severity}</span>}
    </td>
  );
}

/** A text in which code stands between backticks. */
function Coded({ text }: { text: string }) {
  return text.split('`').map((part, at) => {
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which do not move
    return at % 2 === 1 ? <code key={at}>{part}</code> : <Fragment key={at}>{part}</Fragment>;
  });
}
