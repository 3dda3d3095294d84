import type { BatchVerdict } from '@svc/contracts';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import table from '../../../ui/table.module.css';
import type { BatchChange } from './batch-view.ts';
import styles from './batch.module.css';
import { MoreRows, useMoreRows } from './more-rows.tsx';

type Rule = BatchVerdict['rules'][number];

interface RulesProps {
  readonly batch: BatchVerdict;
  readonly rules: readonly Rule[];
  readonly view: BatchChange;
  readonly onChange: (changes: BatchChange) => void;
}

/** The rules that matched, worst first; one opens to its files and hosts, and these to the report at its finding. */
export function BatchRules({ batch, rules, view, onChange }: RulesProps) {
  const { rows, ...more } = useMoreRows(rules);
  const names = new Map(batch.jobs.map(({ job_id: id, filename }) => [id, filename] as const));
  if (rules.length === 0) return null;
  return (
    <section aria-labelledby="batch-rules">
      <h2 id="batch-rules" className={styles.title}>
        Rules <span className="faint">{count(rules.length)}</span>
      </h2>
      <div className={cx('card', styles.card)}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col" className={cx('num', styles.number)}>
                Matches
              </th>
              <th scope="col" className={cx('num', styles.number)}>
                Files
              </th>
              <th scope="col" className={cx('num', styles.number)}>
                Hosts
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((rule) => {
              const isOpen = view.rule === rule.signature;
              return (
                <Fragment key={rule.signature}>
                  <tr className={table.row}>
                    <td>
                      <button
                        type="button"
                        className={styles.opener}
                        aria-expanded={isOpen}
                        onClick={() => onChange({ rule: isOpen ? undefined : rule.signature })}
                      >
                        <IconChevronRight
                          size={14}
                          stroke={2}
                          aria-hidden="true"
                          className={cx(isOpen && styles.down)}
                        />
                        <SeverityMark severity={rule.severity} />
                        <span className="cut" data-hint={rule.rule_name}>
                          {rule.rule_name}
                        </span>
                      </button>
                    </td>
                    <td className="num">{count(rule.matches)}</td>
                    <td className="num">{count(rule.jobs)}</td>
                    <td className="num">{rule.hosts.length === 0 ? '–' : count(rule.hosts.length)}</td>
                  </tr>
                  {isOpen && (
                    <tr>
                      <td colSpan={4} className={styles.opened}>
                        <Places rule={rule} names={names} onChange={onChange} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      <MoreRows {...more} />
    </section>
  );
}

function Places({
  rule,
  names,
  onChange,
}: {
  rule: Rule;
  names: ReadonlyMap<number, string>;
  onChange: RulesProps['onChange'];
}) {
  return (
    <>
      <ul className={styles.places}>
        {rule.places.map(({ job_id: jobId, finding_id: finding, matches }) => (
          <li key={finding}>
            <Link to={paths.job} params={{ jobId }} search={{ finding }}>
              {names.get(jobId) ?? `Job ${jobId}`}
            </Link>{' '}
            <span className="soft">{counted(matches, 'match', 'matches')}</span>
          </li>
        ))}
      </ul>
      {rule.places.length < rule.jobs && (
        <p className="faint">The {count(rule.places.length)} files with the most matches.</p>
      )}
      {rule.hosts.length > 0 && (
        <p className={styles.hosts}>
          <span className="faint">Hosts</span>
          {rule.hosts.map((host) => (
            <LinkButton key={host} onClick={() => onChange({ host, rule: undefined })}>
              {host}
            </LinkButton>
          ))}
        </p>
      )}
    </>
  );
}
