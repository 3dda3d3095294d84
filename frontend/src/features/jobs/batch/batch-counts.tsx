import type { BatchVerdict } from '@svc/contracts';
import { cx } from '../../../ui/class-names.ts';
import { count, sentence } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import table from '../../../ui/table.module.css';
import type { ReactNode } from 'react';
import type { BatchChange } from './batch-view.ts';
import styles from './batch.module.css';
import { RuleCountCells, RuleCountHeads } from './rule-count-cells.tsx';

interface CountsProps {
  readonly batch: BatchVerdict;
  readonly view: BatchChange;
  readonly onChange: (changes: BatchChange) => void;
}

interface Row {
  readonly key: string;
  readonly name: ReactNode;
  readonly rules: number;
  readonly matches: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** Hosts that are told at once; all of them have a list of their own below. */
const worstHosts = 6;

/** Rules and their matches by severity and by tactic, and the worst hosts; each narrows the page to its rules. */
export function BatchCounts({ batch, view, onChange }: CountsProps) {
  if (batch.rules.length === 0) return null;
  return (
    <div className={styles.counts}>
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
      <WorstHosts hosts={batch.hosts.slice(0, worstHosts)} view={view} onChange={onChange} />
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

function WorstHosts({ hosts, view, onChange }: Omit<CountsProps, 'batch'> & { hosts: BatchVerdict['hosts'] }) {
  if (hosts.length === 0) return null;
  return (
    <div className={cx('card', styles.card)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Worst host</th>
            <RuleCountHeads />
          </tr>
        </thead>
        <tbody>
          {hosts.map(({ host, rules }) => (
            <tr key={host} className={cx(table.row, view.host === host && styles.chosen)}>
              <td>
                <LinkButton
                  className={styles.name}
                  onClick={() => onChange({ host: view.host === host ? undefined : host, rule: undefined })}
                >
                  {host}
                </LinkButton>
              </td>
              <RuleCountCells
                rules={rules}
                renderDoor={(severity, text) => (
                  <LinkButton onClick={() => onChange({ host, severity, rule: undefined })}>{text}</LinkButton>
                )}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Counts({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <div className={cx('card', styles.card)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className={cx('num', styles.number)}>
              Rules
            </th>
            <th scope="col" className={cx('num', styles.number)}>
              Matches
            </th>
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
              <td className="num">{count(matches)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
