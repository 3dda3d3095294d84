import { severities } from '@svc/domain';
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '../class-names.ts';
import { LinkButton } from '../link-button.tsx';
import tools from '../panel-tools.module.css';
import { SearchField } from '../search-field.tsx';
import { Switcher } from '../switcher.tsx';
import { useRowsInSight } from '../use-rows-in-sight.ts';
import { ProcessDetails, type ProcessFinding } from './process-details.tsx';
import { ProcessRow } from './process-row.tsx';
import styles from './process-tree.module.css';
import { treeKey } from './tree-keys.ts';
import { innerKeys, treeLines, treeRows, type TreeLine, type TreeNode, type TreeRow } from './tree-rows.ts';

const shownProcesses: readonly (readonly ['all' | 'hits', string])[] = [
  ['all', 'All'],
  ['hits', 'Only matched'],
];

interface ProcessTreeProps<N> {
  readonly roots: readonly N[];
  /** How much of it there is, in words. */
  readonly facts: ReactNode;
  /** What stands before the search. */
  readonly choice?: ReactNode;
  /** Only processes that contain it are shown. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Those that processes may name. */
  readonly findings: readonly ProcessFinding[];
  readonly onFinding: (id: number) => void;
  /** What else a row says of its process, and what its details do. */
  readonly renderMark?: ((node: N) => ReactNode) | undefined;
  readonly renderMore?: ((node: N) => ReactNode) | undefined;
}

/** Processes, each under the one that started it. */
export function ProcessTree<N extends TreeNode<N>>(props: ProcessTreeProps<N>) {
  const { roots, facts, choice, text, onText, findings, onFinding, renderMark, renderMore } = props;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<'all' | 'hits'>('all');
  const lines = useMemo(() => treeLines(roots), [roots]);
  const rows = useMemo(
    () => treeRows(lines, closed, { text, onlyHits: shown === 'hits' }),
    [lines, closed, text, shown],
  );
  const byId = useMemo(() => new Map(findings.map((finding) => [finding.id, finding])), [findings]);
  const toggle = (key: string) =>
    setClosed(new Set(closed.has(key) ? [...closed].filter((one) => one !== key) : [...closed, key]));
  return (
    <section className={cx('card', tools.card)} aria-label="Process tree">
      <div className={tools.tools}>
        {choice}
        <SearchField
          label="Search processes"
          placeholder="Search name, command line, user, hash"
          value={text}
          onChange={onText}
        />
        <Switcher label="Processes" value={shown} options={shownProcesses} onChange={setShown} />
        <span className={tools.facts}>{facts}</span>
        <LinkButton onClick={() => setClosed(new Set())}>Open all</LinkButton>
        <LinkButton onClick={() => setClosed(new Set(innerKeys(lines)))}>Close all</LinkButton>
      </div>
      {rows.length === 0 ? (
        <p className={styles.none}>No process contains this text.</p>
      ) : (
        <Rows
          lines={lines}
          rows={rows}
          findingsOf={({ node }) =>
            node.findings
              .flatMap((id) => byId.get(id) ?? [])
              .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
          }
          onToggle={toggle}
          onFinding={onFinding}
          renderMark={renderMark}
          renderMore={renderMore}
        />
      )}
    </section>
  );
}

interface RowsProps<N> extends Pick<ProcessTreeProps<N>, 'renderMark' | 'renderMore'> {
  readonly lines: readonly TreeLine<N>[];
  readonly rows: readonly TreeRow<N>[];
  /** The worst first. */
  readonly findingsOf: (line: TreeLine<N>) => readonly ProcessFinding[];
  readonly onToggle: (key: string) => void;
  readonly onFinding: (id: number) => void;
}

function Rows<N extends TreeNode<N>>({
  lines,
  rows,
  findingsOf,
  onToggle,
  onFinding,
  renderMark,
  renderMore,
}: RowsProps<N>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState('');
  /** The row whose details are open. */
  const [opened, setOpened] = useState('');
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === current),
  );
  const inSight = useRowsInSight({
    scroller,
    count: rows.length,
    rowHeight: 28,
    keyOf: (index) => rows[index]!.key,
    kept: at,
  });
  const go = (index: number) => {
    const row = rows[index];
    if (!row) return;
    // Then it is on the page, wherever it is.
    flushSync(() => setCurrent(row.key));
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  const open = (key: string) => setOpened(key === opened ? '' : key);
  const visit = (key: string) => {
    const index = rows.findIndex((row) => row.key === key);
    if (index < 0) return;
    setOpened(key);
    go(index);
  };
  const steer = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'treeitem') return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (rows[at]) open(rows[at].key);
      return;
    }
    const deed = treeKey(event.key, rows, at);
    if (deed === null) return;
    event.preventDefault();
    if (deed === 'toggle') onToggle(rows[at]!.key);
    else go(deed);
  };
  return (
    <div className={styles.rows} ref={scroller}>
      <ul
        role="tree"
        aria-label="Processes"
        style={{ paddingBottom: inSight.after }}
        onKeyDown={steer}
        onFocus={({ target }) => {
          const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
          if (index !== undefined) setCurrent(rows[Number(index)]?.key ?? '');
        }}
      >
        {inSight.rows.map(({ index, gap }) => (
          <ProcessRow
            key={rows[index]!.key}
            row={rows[index]!}
            index={index}
            gap={gap}
            isCurrent={index === at}
            measure={inSight.measure}
            worst={findingsOf(rows[index]!)[0]?.severity}
            mark={renderMark?.(rows[index]!.node)}
            onToggle={() => onToggle(rows[index]!.key)}
            onOpen={() => open(rows[index]!.key)}
          >
            {opened === rows[index]!.key && (
              <ProcessDetails
                line={rows[index]!}
                parent={lines.find(({ key }) => key === opened.replace(/\.?\d+$/, ''))}
                findings={findingsOf(rows[index]!)}
                onFinding={onFinding}
                onProcess={visit}
                more={renderMore?.(rows[index]!.node)}
              />
            )}
          </ProcessRow>
        ))}
      </ul>
    </div>
  );
}
