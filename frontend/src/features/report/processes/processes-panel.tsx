import type { FindingRow, ProcessTree } from '@svc/contracts';
import { severities } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { IconBinaryTree } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { processTreeQuery, useReport } from '../../../api/report-source.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { useRowsInSight } from '../../../ui/use-rows-in-sight.ts';
import { FindingsSkeleton } from '../job-skeleton.tsx';
import { ProcessDetails } from './process-details.tsx';
import { ProcessRow } from './process-row.tsx';
import styles from './processes-panel.module.css';
import tools from '../../../ui/panel-tools.module.css';
import { treeKey } from './tree-keys.ts';
import { innerKeys, treeLines, treeRows, type TreeLine, type TreeRow } from './tree-rows.ts';
import { useJobView } from '../use-job-view.ts';

/** The processes that matched events tell of, each under the one that started it. */
export function ProcessesPanel({ findings }: { findings: readonly FindingRow[] }) {
  const { data, error, refetch } = useQuery(processTreeQuery(useReport()));
  if (error) return <ErrorState what="The process tree cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  if (data.roots.length > 0) return <Tree tree={data} findings={findings} />;
  return (
    <div className="card">
      <EmptyState icon={IconBinaryTree} title="No process was started in the matched events">
        The tree is made from matched events that tell of a start: Sysmon 1, Security 4688, and records of auditd.
      </EmptyState>
    </div>
  );
}

const shownProcesses: readonly (readonly ['all' | 'hits', string])[] = [
  ['all', 'All'],
  ['hits', 'Only matched'],
];

function Tree({ tree: { roots, stats }, findings }: { tree: ProcessTree; findings: readonly FindingRow[] }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<'all' | 'hits'>('all');
  const [{ find: text = '' }, change] = useJobView();
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
        <SearchField
          label="Search processes"
          placeholder="Search name, command line, user, hash"
          value={text}
          onChange={(find) => change({ find: find || undefined })}
        />
        <Switcher label="Processes" value={shown} options={shownProcesses} onChange={setShown} />
        <span className={tools.facts}>
          {counted(stats.hits, 'matched process', 'matched processes')}, {counted(stats.inferred, 'ancestor')} inferred
          {stats.truncated && `; only the first ${count(stats.max_nodes)} are shown`}
        </span>
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
          onFinding={(finding) => change({ view: undefined, finding })}
        />
      )}
    </section>
  );
}

interface RowsProps {
  readonly lines: readonly TreeLine[];
  readonly rows: readonly TreeRow[];
  /** The worst first. */
  readonly findingsOf: (line: TreeLine) => readonly FindingRow[];
  readonly onToggle: (key: string) => void;
  readonly onFinding: (id: number) => void;
}

function Rows({ lines, rows, findingsOf, onToggle, onFinding }: RowsProps) {
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
              />
            )}
          </ProcessRow>
        ))}
      </ul>
    </div>
  );
}
