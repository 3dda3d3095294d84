import { Button } from '@mantine/core';
import type { FindingRow } from '@svc/contracts';
import { attackVersion, otherTactic, techniqueName, techniqueTitle } from '@svc/domain';
import { IconDownload, IconTargetOff } from '@tabler/icons-react';
import { useMemo, type CSSProperties } from 'react';
import { useReport } from '../../../api/report-source.ts';
import { layerDownload } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { attackMatrix, matrixTotals, type MatrixCell, type MatrixColumn } from './attack-matrix.ts';
import styles from './attack-panel.module.css';
import tools from '../../../ui/panel-tools.module.css';
import { tacticColor, tacticName } from '../../../ui/tactic-names.ts';
import { useJobView } from '../use-job-view.ts';

/** The techniques of the findings under their tactics, the darker the more events; each leads to its findings. */
export function AttackPanel({ findings }: { findings: readonly FindingRow[] }) {
  const { jobId } = useReport();
  const columns = useMemo(() => attackMatrix(findings), [findings]);
  const { techniques, most } = matrixTotals(columns);
  if (columns.length === 0) {
    return (
      <div className="card">
        <EmptyState icon={IconTargetOff} title="No rule names a tactic or a technique">
          The authors of the rules that matched have not said where they belong in ATT&CK.
        </EmptyState>
      </div>
    );
  }
  return (
    <section className={cx('card', tools.card)} aria-label="ATT&CK matrix">
      <header className={tools.tools}>
        <span className={tools.facts}>
          {counted(techniques, 'technique')} in {counted(columns.length, 'tactic')} of ATT&CK {attackVersion}; a rule
          counts under each that it names
        </span>
        {jobId !== null && (
          <Button
            component="a"
            size="xs"
            href={layerDownload(jobId)}
            download={`job_${jobId}_attack_layer.json`}
            variant="default"
            leftSection={<IconDownload size={14} stroke={1.75} />}
          >
            Navigator layer
          </Button>
        )}
      </header>
      <div className={styles.scroll}>
        <div className={styles.matrix} style={{ '--columns': columns.length } as CSSProperties}>
          {columns.map((column) => (
            <Column key={column.tactic} column={column} most={most} />
          ))}
        </div>
      </div>
    </section>
  );
}

function Column({ column, most }: { column: MatrixColumn; most: number }) {
  const [view, change] = useJobView();
  const tactic = column.tactic === otherTactic ? undefined : column.tactic;
  const name = tactic === undefined ? 'No tactic' : tacticName(tactic);
  const show = (technique: string | undefined, within = tactic) =>
    change({ view: undefined, finding: undefined, tactic: within, technique });
  return (
    <section
      className={styles.column}
      style={{ '--tactic': tacticColor(column.tactic) } as CSSProperties}
      aria-label={name}
    >
      <button type="button" className={styles.head} disabled={tactic === undefined} onClick={() => show(undefined)}>
        <span className={styles.name}>{name}</span>
        <span className={styles.total}>{counted(column.events, 'event')}</span>
      </button>
      {column.cells.map((cell) => (
        <Cell
          key={cell.technique}
          cell={cell}
          share={cell.events / most}
          isChosen={cell.technique !== '' && view.technique === cell.technique}
          // Rules that do not name the tactic would not pass it as a filter.
          onChoose={() => (cell.isNamed ? show(cell.technique || undefined) : show(cell.technique, undefined))}
        />
      ))}
    </section>
  );
}

interface CellProps {
  readonly cell: MatrixCell;
  /** Of the events of the fullest cell. */
  readonly share: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Cell({ cell, share, isChosen, onChoose }: CellProps) {
  const { technique, rules, events } = cell;
  const about = `${counted(events, 'matched event')} of ${counted(rules, 'rule')}`;
  return (
    <button
      type="button"
      className={cx(styles.cell, technique.includes('.') && styles.sub)}
      style={{ '--share': share } as CSSProperties}
      aria-pressed={isChosen}
      data-hint={`${technique === '' ? 'Rules that name no technique' : techniqueTitle(technique)}\n${about}`}
      onClick={onChoose}
    >
      <span>{technique === '' ? 'no technique' : technique}</span>
      {techniqueName(technique) !== undefined && <span className={styles.title}>{techniqueName(technique)}</span>}
      <span className={styles.events}>{count(events)}</span>
    </button>
  );
}
