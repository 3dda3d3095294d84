import type { BatchVerdict } from '@svc/contracts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import table from '../../../ui/table.module.css';
import type { BatchChange } from './batch-view.ts';
import styles from './batch.module.css';
import { MoreRows, useMoreRows } from './more-rows.tsx';
import { RuleCountCells, RuleCountHeads } from './rule-count-cells.tsx';

interface HostsProps {
  readonly hosts: BatchVerdict['hosts'];
  /** Findings of which it is not known on which hosts they are. */
  readonly unknown: number;
  readonly onChange: (changes: BatchChange) => void;
}

/** Hosts by how bad it is there; each narrows the page to what matched on it. */
export function BatchHosts({ hosts, unknown, onChange }: HostsProps) {
  const { rows, ...more } = useMoreRows(hosts);
  if (hosts.length === 0 && unknown === 0) return null;
  return (
    <section aria-labelledby="batch-hosts">
      <h2 id="batch-hosts" className={styles.title}>
        Hosts <span className="faint">{count(hosts.length)}</span>
      </h2>
      {rows.length > 0 && (
        <div className={cx('card', styles.card)}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Host</th>
                <RuleCountHeads />
                <th scope="col" className={cx('num', styles.number)}>
                  Files
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ host, rules, jobs }) => (
                <tr key={host} className={table.row}>
                  <td>
                    <LinkButton className={styles.name} onClick={() => onChange({ host, rule: undefined })}>
                      {host}
                    </LinkButton>
                  </td>
                  <RuleCountCells
                    rules={rules}
                    renderDoor={(severity, text) => (
                      <LinkButton onClick={() => onChange({ host, severity, rule: undefined })}>{text}</LinkButton>
                    )}
                  />
                  <td className="num">{count(jobs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MoreRows {...more} />
      {unknown > 0 && (
        <p className="faint">
          On which hosts {counted(unknown, 'finding is', 'findings are')} is not known: they are on very many, or were
          made before hosts were kept.
        </p>
      )}
    </section>
  );
}
