import { tactics, techniqueTitle, type Tactic } from '@svc/domain';
import type { OutputOf, operations } from '@svc/contracts';
import { useState, type CSSProperties } from 'react';
import { cx } from '../../ui/class-names.ts';
import { stepByArrows } from '../../ui/focus-step.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import styles from './coverage.module.css';
import cells from './technique-cells.module.css';
import type { RulesChange, RulesView } from './rules-view.ts';

interface CoverageProps {
  readonly coverage: OutputOf<typeof operations.listRules>['coverage'];
  readonly view: Pick<RulesView, 'tactic' | 'technique'>;
  readonly onChange: (changes: RulesChange) => void;
}

/** How many rules of the pack there are for each tactic and technique; either narrows the list. */
export function Coverage({ coverage, view: { tactic: chosen, technique }, onChange }: CoverageProps) {
  const { tactics: counts, techniques } = coverage;
  const [open, setOpen] = useState(technique !== undefined);
  const most = Math.max(1, ...Object.values(counts));
  const parents = Object.keys(techniques).filter((one) => !one.includes('.')).length;
  return (
    <section className={cx('card', styles.coverage)} aria-label="Coverage of ATT&CK">
      <p className={styles.covered}>
        {counted(parents, 'technique')} and {counted(Object.keys(techniques).length - parents, 'sub-technique')} covered
        {parents > 0 && (
          <LinkButton onClick={() => setOpen(!open)} aria-expanded={open}>
            {open ? 'Hide the techniques' : 'Show the techniques'}
          </LinkButton>
        )}
      </p>
      <div className={styles.bars}>
        {tactics.map((tactic) => (
          <button
            key={tactic}
            type="button"
            className={styles.bar}
            aria-pressed={tactic === chosen}
            disabled={!counts[tactic]}
            style={{ '--share': (counts[tactic] ?? 0) / most, '--tactic': `var(--tactic-${tactic})` } as CSSProperties}
            onClick={() => onChange({ tactic: tactic === chosen ? undefined : tactic })}
          >
            <span className={cx(styles.tactic, 'cut')}>{sentence(tactic)}</span>
            <span>{count(counts[tactic] ?? 0)}</span>
          </button>
        ))}
      </div>
      {open && (
        <Matrix
          coverage={coverage}
          shown={chosen === undefined ? tactics : [chosen]}
          chosen={technique}
          onChoose={(one) => onChange({ technique: one === technique ? undefined : one })}
        />
      )}
    </section>
  );
}

interface MatrixProps {
  readonly coverage: CoverageProps['coverage'];
  readonly shown: readonly Tactic[];
  readonly chosen: string | undefined;
  readonly onChoose: (technique: string) => void;
}

/** The techniques of each tactic with their rules, and the sub-techniques of the one that is chosen. */
function Matrix({ coverage: { techniques, matrix }, shown, chosen, onChoose }: MatrixProps) {
  const most = Math.log1p(Math.max(1, ...Object.values(techniques)));
  const cell = (technique: string) => (
    <button
      key={technique}
      type="button"
      className={cx(cells.cell, styles.heat)}
      aria-pressed={technique === chosen}
      aria-label={`${techniqueTitle(technique)}, ${counted(techniques[technique] ?? 0, 'rule')}`}
      style={{ '--heat': Math.log1p(techniques[technique] ?? 0) / most } as CSSProperties}
      data-hint={techniqueTitle(technique)}
      onClick={() => onChoose(technique)}
    >
      {technique}
      <span className={styles.count}>{count(techniques[technique] ?? 0)}</span>
    </button>
  );
  const parent = chosen?.replace(/\..*$/, '');
  const subs = Object.keys(techniques).filter((one) => parent !== undefined && one.startsWith(`${parent}.`));
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move among the buttons in it
    <div onKeyDown={stepByArrows}>
      <div className={styles.matrix}>
        {shown
          .filter((tactic) => matrix[tactic]?.length)
          .map((tactic) => (
            <div
              key={tactic}
              role="group"
              aria-label={sentence(tactic)}
              className={styles.column}
              style={{ '--tactic': `var(--tactic-${tactic})` } as CSSProperties}
            >
              <h3 className={cx(cells.head, 'cut')}>{sentence(tactic)}</h3>
              <div className={cells.cells}>{matrix[tactic]!.map(cell)}</div>
            </div>
          ))}
      </div>
      {subs.length > 0 && (
        <div role="group" aria-label={`Sub-techniques of ${parent}`} className={cells.subs}>
          {subs.map(cell)}
        </div>
      )}
    </div>
  );
}
