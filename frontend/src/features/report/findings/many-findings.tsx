import type { FindingRow } from '@svc/contracts';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { severityColors } from '../../../ui/severity.tsx';
import { FindingButton, GroupHead, HEAD_HEIGHT } from './finding-group.tsx';
import styles from './many-findings.module.css';
import type { FindingGroup } from './narrow-findings.ts';

/** Rows of one line of name; what is shown is measured. */
const ROW_HEIGHT = 53;

interface ManyProps {
  readonly groups: readonly FindingGroup[];
  readonly chosen: number | undefined;
  readonly onChoose: (finding: FindingRow) => void;
}

type Line =
  | { readonly key: string; readonly group: FindingGroup; readonly finding?: undefined }
  | { readonly key: string; readonly group: FindingGroup; readonly finding: FindingRow; readonly place: number };

/** The groups of a report with more findings than a page should hold: only what is in sight is there. */
export function ManyFindings({ groups, chosen, onChoose }: ManyProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(groups, folded), [groups, folded]);
  const heads = useMemo(() => lines.flatMap((line, index) => (line.finding ? [] : [index])), [lines]);
  const stuck = useRef(0);
  // oxlint-disable-next-line react/incompatible-library -- its functions are called here and handed to nobody
  const { scrollToIndex, ...rows } = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => lines[index]!.key,
    estimateSize: (index) => (lines[index]!.finding ? ROW_HEIGHT : HEAD_HEIGHT),
    overscan: 10,
    scrollPaddingStart: HEAD_HEIGHT,
    rangeExtractor: (range: Range) => {
      stuck.current = heads.findLast((head) => head <= range.startIndex) ?? 0;
      return [...new Set([stuck.current, ...defaultRangeExtractor(range)])];
    },
  });
  const at = lines.findIndex(({ finding }) => finding !== undefined && finding.id === chosen);
  useEffect(() => {
    if (at >= 0) scrollToIndex(at, { align: 'auto' });
  }, [at, scrollToIndex]);
  const fold = (key: string) =>
    setFolded(new Set(folded.has(key) ? [...folded].filter((one) => one !== key) : [...folded, key]));
  return (
    <div className={styles.rows} ref={scroller}>
      <div className={styles.sheet} style={{ height: rows.getTotalSize() }} role="list">
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const line = lines[index]!;
          const { group, finding } = line;
          const isStuck = index === stuck.current;
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              role="listitem"
              className={isStuck ? styles.stuck : finding ? styles.row : styles.head}
              style={{
                ...severityColors(finding?.severity ?? group.severity),
                ...(!isStuck && { transform: `translateY(${start}px)` }),
              }}
              {...(finding && { 'aria-setsize': group.findings.length, 'aria-posinset': line.place })}
            >
              {finding ? (
                <FindingButton finding={finding} chosen={finding.id === chosen} onChoose={onChoose} />
              ) : (
                <GroupHead group={group} open={!folded.has(group.key)} onToggle={() => fold(group.key)} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function linesOf(groups: readonly FindingGroup[], folded: ReadonlySet<string>): Line[] {
  return groups.flatMap((group): Line[] => [
    { key: group.key, group },
    ...(folded.has(group.key)
      ? []
      : group.findings.map((finding, index) => ({ key: `${finding.id}`, group, finding, place: index + 1 }))),
  ]);
}
