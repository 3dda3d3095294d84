import type { FindingRow } from '@svc/contracts';
import { tacticsOf, techniquesOf } from '@svc/domain';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '../../../ui/class-names.ts';
import { count, counted, sentence } from '../../../ui/format.ts';
import { SeverityMark, severityColors } from '../../../ui/severity.tsx';
import styles from './finding-group.module.css';
import type { FindingGroup, FindingRows } from './narrow-findings.ts';
import { useFoundBy } from './other-engines.ts';
import { ReviewMark } from './review-states.tsx';
import { type OpenRows, useOpenRows } from './use-open-rows.ts';

/** Of a group's header, which sticks to the top of the list. */
export const HEAD_HEIGHT = 33;

interface GroupProps {
  readonly group: FindingGroup;
  readonly chosen: number | undefined;
  readonly onChoose: (finding: FindingRow) => void;
}

/** The findings of one group under a header that folds them away. */
export function FindingGroupRows({ group, chosen, onChoose }: GroupProps) {
  const [open, setOpen] = useState(true);
  const rows = useOpenRows(chosen, onChoose);
  return (
    <section aria-label={`${group.name} findings`} style={severityColors(group.severity)}>
      <h2 className={styles.head}>
        <GroupHead group={group} open={open} onToggle={() => setOpen(!open)} />
      </h2>
      {open && (
        <ul>
          {group.rows.flatMap((row) => [
            <Row key={row[0].id} finding={row[0]} chosen={row[0].id === chosen} onChoose={onChoose}>
              {row.length > 1 && <MoreButton row={row} rows={rows} />}
            </Row>,
            ...(rows.isOpen(row) ? row.slice(1) : []).map((finding) => (
              <Row key={finding.id} finding={finding} chosen={finding.id === chosen} onChoose={onChoose} isWithin />
            )),
          ])}
        </ul>
      )}
    </section>
  );
}

/** What a group is of, and how much it holds. */
export function GroupHead(props: { group: FindingGroup; open: boolean; onToggle: () => void }) {
  const { group, open, onToggle } = props;
  return (
    <button type="button" className={styles.fold} aria-expanded={open} onClick={onToggle}>
      <IconChevronDown size={14} stroke={2} className={cx(!open && styles.closed)} aria-hidden="true" />
      {group.tactic === undefined ? (
        <SeverityMark severity={group.severity} />
      ) : (
        <span className={styles.dot} style={{ background: `var(--tactic-${group.tactic})` }} />
      )}
      {group.name}
      <span className={styles.sums}>
        {counted(group.findings.length, 'rule')} · {counted(group.events, 'event')}
      </span>
    </button>
  );
}

/** Opens and closes the findings that a row stands for. */
export function MoreButton({ row, rows }: { row: FindingRows; rows: OpenRows }) {
  const open = rows.isOpen(row);
  return (
    <button type="button" className={styles.more} aria-expanded={open} onClick={() => rows.toggle(row)}>
      <IconChevronDown size={12} stroke={2} className={cx(!open && styles.closed)} aria-hidden="true" />
      {counted(row.length - 1, 'more rule')} at the same times
    </button>
  );
}

interface RowProps {
  readonly finding: FindingRow;
  readonly chosen: boolean;
  readonly onChoose: (finding: FindingRow) => void;
  /** Under the row that stands for it. */
  readonly isWithin?: boolean;
}

const Row = memo(
  function Row({ children, ...props }: RowProps & { readonly children?: ReactNode }) {
    const { finding, chosen } = props;
    const self = useRef<HTMLLIElement>(null);
    useEffect(() => {
      if (chosen && self.current) bringIntoList(self.current);
    }, [chosen]);
    return (
      <li ref={self} className={styles.item} style={severityColors(finding.severity)}>
        <FindingButton {...props} />
        {children}
      </li>
    );
  },
  (before, after) =>
    before.finding === after.finding && before.chosen === after.chosen && !before.children && !after.children,
);

/** A finding in the list. */
export function FindingButton({ finding, chosen, onChoose, isWithin = false }: RowProps) {
  return (
    <button
      type="button"
      className={cx(styles.row, chosen && styles.chosen, isWithin && styles.within)}
      aria-current={chosen}
      onClick={() => onChoose(finding)}
    >
      <span className={styles.name}>
        <ReviewMark findingId={finding.id} />
        {finding.rule_name}
      </span>
      <span className={styles.count} data-hint={counted(finding.count, 'matched event')}>
        {count(finding.count)}
      </span>
      <Attack tags={finding.tags} />
      <Engines finding={finding} />
    </button>
  );
}

/** Which engines of several found it. */
function Engines({ finding: { id } }: { finding: FindingRow }) {
  const foundBy = useFoundBy(id);
  return foundBy && <span className={styles.attack}>{foundBy.engines.join(', ')}</span>;
}

/** Scrolls the list to a row, and only the list: the page stays where the reader has it. */
function bringIntoList(row: HTMLElement): void {
  const list = row.closest('[data-rows]');
  if (!list) return;
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  const above = inner.top - outer.top - HEAD_HEIGHT;
  const below = inner.bottom - outer.bottom;
  if (above < 0) list.scrollTop += above;
  else if (below > 0) list.scrollTop += below;
}

function Attack({ tags }: { tags: readonly string[] }) {
  const tactics = tacticsOf(tags);
  const techniques = techniquesOf(tags);
  if (tactics.length === 0 && techniques.length === 0) return null;
  return (
    <span className={styles.attack}>
      {tactics.map((tactic) => (
        <span key={tactic} className={styles.tactic} data-hint={sentence(tactic)}>
          <span className={styles.dot} style={{ background: `var(--tactic-${tactic})` }} />
        </span>
      ))}
      <span className="cut">{techniques.length > 0 ? techniques.join(' ') : sentence(tactics[0]!)}</span>
    </span>
  );
}
