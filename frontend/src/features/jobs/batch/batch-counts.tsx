import type { BatchVerdict } from '@svc/contracts';
import { severities } from '@svc/domain';
import { cx } from '../../../ui/class-names.ts';
import { count, sentence } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import table from '../../../ui/table.module.css';
import type { ReactNode } from 'react';
import type { BatchChange } from './batch-view.ts';
import styles from './batch.module.css';

interface CountsProps {
  readonly batch: BatchVerdict;
  readonly view: BatchChange;
  readonly onChange: (changes: BatchChange) => void;
}

interface Row {
  readonly key: string;
  readonly name: ReactNode;
  readonly rules: number;
  /** Null where they are not counted. */
  readonly matches: number | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** Hosts that are named on the first screen. */
const worstHosts = 5;

/** Rules and their matches by severity and by tactic, and the worst hosts; each narrows the page to its rules. */
export function BatchCounts({ batch, view, onChange }: CountsProps) {
  if (batch.rules.length === 0) return null;
  return (
    <div className={styles.counts}>
      <div className={styles.column}>
        <Counts
          title="Severity"
          rows={batch.severities.map(({ severity, ...counts }) => ({
            ...counts,
            key: severity,
            name: (
              <>
                <SeverityMark severity={severity} /> {sentence(severity)}
              </>
            ),
            isChosen: view.severity === severity,
            onChoose: () => onChange({ severity: view.severity === severity ? undefined : severity }),
          }))}
        />
        <Counts
          title={
            batch.hosts.length > worstHosts
              ? `Worst ${worstHosts} of ${count(batch.hosts.length)} hosts`
              : 'Worst hosts'
          }
          rows={batch.hosts.slice(0, worstHosts).map(({ host, rules }) => {
            const worst = severities.find((severity) => rules[severity] > 0);
            return {
              key: host,
              name: (
                <>
                  {worst && <SeverityMark severity={worst} />} <span className={styles.host}>{host}</span>
                </>
              ),
              rules: severities.reduce((sum, severity) => sum + rules[severity], 0),
              matches: null,
              isChosen: view.host === host,
              onChoose: () => onChange({ host: view.host === host ? undefined : host, rule: undefined }),
            };
          })}
        />
      </div>
      <Counts
        title="ATT&CK tactic"
        rows={batch.tactics.map(({ tactic, ...counts }) => ({
          ...counts,
          key: tactic,
          name: sentence(tactic.replaceAll('_', ' ')),
          isChosen: view.tactic === tactic,
          onChoose: () => onChange({ tactic: view.tactic === tactic ? undefined : tactic }),
        }))}
      />
    </div>
  );
}

function Counts({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  const isMatched = rows.some(({ matches }) => matches !== null);
  return (
    <div className={cx('card', styles.card)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className={cx('num', styles.number)}>
              Rules
            </th>
            {isMatched && (
              <th scope="col" className={cx('num', styles.number)}>
                Matches
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, rules, matches, isChosen, onChoose }) => (
            <tr key={key} className={cx(table.row, isChosen && styles.chosen)}>
              <td>
                <LinkButton className={styles.name} onClick={onChoose}>
                  {name}
                </LinkButton>
              </td>
              <td className="num">{count(rules)}</td>
              {matches !== null && <td className="num">{count(matches)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
