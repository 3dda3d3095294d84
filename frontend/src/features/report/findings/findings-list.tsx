import type { FindingRow } from '@svc/contracts';
import { Choice } from '../../../ui/choice.tsx';
import { cx } from '../../../ui/class-names.ts';
import { FilterChip } from '../../../ui/filter-chip.tsx';
import { count, counted, sentence } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { mostRows } from '../../../ui/use-rows-in-sight.ts';
import { FindingGroupRows } from './finding-group.tsx';
import styles from './findings-list.module.css';
import { findingOrders, isFiltered, timeWindow, type JobView, type ViewChange } from '../job-view.ts';
import { ManyFindings } from './many-findings.tsx';
import { bySeverity, type FindingGroup } from './narrow-findings.ts';
import { SeverityChips } from '../severity-chips.tsx';
import { windowName } from '../timeline/time-window.ts';

const groupings = [
  ['severity', 'By severity'],
  ['tactic', 'By tactic'],
] as const;
const orders = [
  ['', 'Worst first'],
  ['count', 'Most events first'],
  ['time', 'Earliest first'],
  ['name', 'By name'],
] as const;

interface FindingsListProps {
  /** All of the job's, for the counts of the chips. */
  readonly findings: readonly FindingRow[];
  /** Those that the filters let through. */
  readonly groups: readonly FindingGroup[];
  readonly view: JobView;
  readonly chosen: FindingRow | undefined;
  readonly onChange: (changes: ViewChange) => void;
  readonly onChoose: (finding: FindingRow) => void;
}

/** Takes every filter away. */
export const noFilters = {
  host: undefined,
  q: undefined,
  severity: undefined,
  tactic: undefined,
  technique: undefined,
  from: undefined,
  to: undefined,
} satisfies ViewChange;

/** The findings by severity, with what narrows them. */
export function FindingsList(props: FindingsListProps) {
  const { findings, groups, view, chosen, onChange, onChoose } = props;
  const window = timeWindow(view);
  const shown = groups.reduce((sum, group) => sum + group.findings.length, 0);
  return (
    <section className={cx('card', styles.list)} aria-label="Findings">
      <div className={styles.tools}>
        <SearchField
          label="Filter findings"
          placeholder="Filter by rule, id, tag"
          value={view.q ?? ''}
          isMain
          onChange={(q) => onChange({ q: q || undefined })}
        />
        <SeverityChips chosen={view.severity} onChange={onChange} findings={bySeverity(findings)} />
        <FindingsOrder view={view} onChange={onChange} />
        <div className={styles.summary} role="status">
          <span>
            {shown === findings.length
              ? counted(shown, 'finding')
              : `${count(shown)} of ${counted(findings.length, 'finding')}`}
          </span>
          {view.tactic && <FilterChip text={sentence(view.tactic)} onRemove={() => onChange({ tactic: undefined })} />}
          {view.technique && <FilterChip text={view.technique} onRemove={() => onChange({ technique: undefined })} />}
          {view.host && <FilterChip text={view.host} onRemove={() => onChange({ host: undefined })} />}
          {window && (
            <FilterChip text={windowName(window)} onRemove={() => onChange({ from: undefined, to: undefined })} />
          )}
          {isFiltered(view) && (
            <LinkButton className={styles.clear} onClick={() => onChange(noFilters)}>
              Clear
            </LinkButton>
          )}
        </div>
      </div>
      {shown > mostRows ? (
        <ManyFindings groups={groups} chosen={chosen?.id} onChoose={onChoose} />
      ) : (
        <div className={styles.rows} data-rows>
          {shown === 0 && <p className={styles.none}>No finding passes these filters.</p>}
          {groups.map((group) => (
            <FindingGroupRows key={group.key} group={group} chosen={chosen?.id} onChoose={onChoose} />
          ))}
        </div>
      )}
    </section>
  );
}

/** What the list is grouped by, and the order within a group. */
function FindingsOrder({ view, onChange }: Pick<FindingsListProps, 'view' | 'onChange'>) {
  return (
    <div className={styles.order}>
      <Choice
        label="Group findings by"
        value={view.group ?? 'severity'}
        options={groupings}
        onChange={(value) => onChange({ group: value === 'tactic' ? 'tactic' : undefined })}
      />
      <Choice
        label="Order within a group"
        value={view.sort ?? ''}
        options={orders}
        onChange={(value) => onChange({ sort: findingOrders.find((order) => order === value) })}
      />
    </div>
  );
}
