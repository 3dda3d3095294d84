import type { FindingRow } from '@svc/contracts';
import { Choice } from '../../../ui/choice.tsx';
import { FilterChip } from '../../../ui/filter-chip.tsx';
import { count, counted, duration, moment, sentence } from '../../../ui/format.ts';
import { FlagField } from '../../../ui/option-field.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './findings-tools.module.css';
import {
  findingOrders,
  isFiltered,
  noFilters,
  timeWindow,
  readValue,
  toggledValue,
  type JobView,
  type ViewChange,
} from '../job-view.ts';
import { bySeverity } from './narrow-findings.ts';
import { SeverityChips } from '../../../ui/severity-chips.tsx';
import { windowName } from '../../../ui/timeline/time-window.ts';

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

interface FindingsToolsProps {
  /** How many findings the job has. */
  readonly all: number;
  /** Those that every filter but the severities lets through, for the counts of the chips. */
  readonly findings: readonly FindingRow[];
  /** Those that pass every filter. */
  readonly shown: readonly FindingRow[];
  /** How many findings nothing is left to do about. */
  readonly reviewed: number;
  readonly view: JobView;
  readonly onChange: (changes: ViewChange) => void;
}

/** What narrows and orders the findings, in one line above them. */
export function FindingsTools({ all, findings, shown, reviewed, view, onChange }: FindingsToolsProps) {
  const window = timeWindow(view);
  return (
    <div className={styles.tools}>
      <div className={styles.search}>
        <SearchField
          label="Filter findings"
          placeholder="Filter by rule, id, tag"
          value={view.q ?? ''}
          isMain
          onChange={(q) => onChange({ q: q || undefined })}
        />
      </div>
      <SeverityChips chosen={view.severity} onChange={onChange} findings={bySeverity(findings)} />
      {(reviewed > 0 || view.hide) && (
        <FlagField
          label={`Hide reviewed (${count(reviewed)})`}
          hint={'Leaves out what is reviewed or benign;\nwhat is escalated stays'}
          checked={view.hide !== undefined}
          onChange={(isHidden) => onChange({ hide: isHidden ? 'reviewed' : undefined })}
        />
      )}
      <FindingsOrder view={view} onChange={onChange} />
      <div className={styles.summary} role="status">
        <span>
          {shown.length === all ? counted(all, 'finding') : `${count(shown.length)} of ${counted(all, 'finding')}`}
        </span>
        {view.tactic && <FilterChip text={sentence(view.tactic)} onRemove={() => onChange({ tactic: undefined })} />}
        {view.technique && <FilterChip text={view.technique} onRemove={() => onChange({ technique: undefined })} />}
        {view.host && <FilterChip text={view.host} onRemove={() => onChange({ host: undefined })} />}
        {(['only', 'not'] as const).map((how) =>
          view[how]?.map((written) => {
            const value = readValue(written)!;
            return (
              <FilterChip
                key={`${how} ${written}`}
                text={how === 'only' ? value.value : `not ${value.value}`}
                onRemove={() => onChange(toggledValue(view, how, value))}
              />
            );
          }),
        )}
        {window && (
          <FilterChip text={windowName(window)} onRemove={() => onChange({ from: undefined, to: undefined })} />
        )}
        {isFiltered(view) && <LinkButton onClick={() => onChange(noFilters)}>Clear</LinkButton>}
      </div>
      <Span findings={shown} />
    </div>
  );
}

/** From the first match of the findings to their last. */
function Span({ findings }: { findings: readonly FindingRow[] }) {
  const times = findings
    .flatMap(({ first_seen: first, last_seen: last }) => [first, last])
    .filter((time) => time !== null)
    .sort();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  const length = (moment(last)?.at ?? 0) - (moment(first)?.at ?? 0);
  return (
    <span className={styles.span}>
      <Time iso={first} />
      {last !== first && (
        <>
          {' – '}
          <Time iso={last} />
        </>
      )}{' '}
      <span className="faint">UTC{length > 0 && `, over ${duration(length)}`}</span>
    </span>
  );
}

/** What the list is grouped by, and the order within a group. */
function FindingsOrder({ view, onChange }: Pick<FindingsToolsProps, 'view' | 'onChange'>) {
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
