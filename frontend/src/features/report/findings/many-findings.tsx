import type { FindingRow } from '@svc/contracts';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { severityColors } from '../../../ui/severity.tsx';
import { FindingButton, GroupHead, HEAD_HEIGHT, MoreButton } from './finding-group.tsx';
import styles from './many-findings.module.css';
import type { FindingGroup, FindingRows } from './narrow-findings.ts';
import { type OpenRows, useOpenRows } from './use-open-rows.ts';

/** Rows of one line of name; what is shown is measured. */
const ROW_HEIGHT = 53;

interface ManyProps {
  readonly groups: readonly FindingGroup[];
  readonly chosen: number | undefined;
  readonly onChoose: (finding: FindingRow) => void;
}

type Line =
  | { readonly key: string; readonly group: FindingGroup; readonly finding?: undefined }
  | {
      readonly key: string;
      readonly group: FindingGroup;
      readonly finding: FindingRow;
      readonly row: FindingRows;
      readonly place: number;
    };

/** The groups of a report with more findings than a page should hold: only what is in sight is there. */
export function ManyFindings({ groups, chosen, onChoose }: ManyProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const open = useOpenRows(chosen, onChoose);
  const lines = linesOf(groups, folded, open);
  const heads = lines.flatMap((line, index) => (line.finding ? [] : [index]));
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
                <>
                  <FindingButton
                    finding={finding}
                    chosen={finding.id === chosen}
                    onChoose={onChoose}
                    isWithin={finding !== line.row[0]}
                  />
                  {line.row.length > 1 && finding === line.row[0] && <MoreButton row={line.row} rows={open} />}
                </>
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

function linesOf(groups: readonly FindingGroup[], folded: ReadonlySet<string>, open: OpenRows): Line[] {
  return groups.flatMap((group): Line[] => {
    if (folded.has(group.key)) return [{ key: group.key, group }];
    const places = new Map(group.findings.map(({ id }, index) => [id, index + 1]));
    const shown = group.rows.flatMap((row) =>
      (open.isOpen(row) ? row : row.slice(0, 1)).map((finding): Line => {
        return { key: `${finding.id}`, group, finding, row, place: places.get(finding.id)! };
      }),
    );
    return [{ key: group.key, group }, ...shown];
  });
}
