import type { ProcessTree } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { IconBinaryTree, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { processTreeQuery, useReport } from '../../api/report-source.ts';
import { cx } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { FindingsSkeleton } from './job-skeleton.tsx';
import styles from './processes-panel.module.css';
import tools from './panel-tools.module.css';
import { innerKeys, treeRows, type TreeRow } from './tree-rows.ts';
import { useJobView } from './use-job-view.ts';

/** The processes that matched events tell of, each under the one that started it. */
export function ProcessesPanel() {
  const { data, error, refetch } = useQuery(processTreeQuery(useReport()));
  if (error) return <ErrorState what="The process tree cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  if (data.roots.length > 0) return <Tree tree={data} />;
  return (
    <div className="card">
      <EmptyState icon={IconBinaryTree} title="No process was started in the matched events">
        The tree is made from matched events that tell of a start: Sysmon 1, Security 4688, and records of auditd.
      </EmptyState>
    </div>
  );
}

function Tree({ tree: { roots, stats } }: { tree: ProcessTree }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [{ find: text = '' }, change] = useJobView();
  const rows = useMemo(() => treeRows(roots, closed, text), [roots, closed, text]);
  const toggle = (key: string, open = closed.has(key)) => {
    const next = new Set(closed);
    if (open) next.delete(key);
    else next.add(key);
    setClosed(next);
  };
  return (
    <section className={cx('card', tools.card)} aria-label="Process tree">
      <div className={tools.tools}>
        <SearchField
          label="Search processes"
          placeholder="Search name, command line, user, hash"
          value={text}
          onChange={(find) => change({ find: find || undefined })}
        />
        <span className={tools.facts}>
          {counted(stats.hits, 'matched process', 'matched processes')}, {counted(stats.inferred, 'ancestor')} inferred
          {stats.truncated && `; only the first ${stats.max_nodes} are shown`}
        </span>
        <LinkButton onClick={() => setClosed(new Set())}>Open all</LinkButton>
        <LinkButton onClick={() => setClosed(new Set(innerKeys(roots)))}>Close all</LinkButton>
      </div>
      {rows.length === 0 ? (
        <p className={styles.none}>No process contains this text.</p>
      ) : (
        <ul className={styles.rows} role="tree" aria-label="Processes" onKeyDown={(event) => moveFocus(event, toggle)}>
          {rows.map((row, place) => (
            <Row key={row.key} row={row} isFirst={place === 0} onToggle={() => toggle(row.key)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ row, isFirst, onToggle }: { row: TreeRow; isFirst: boolean; onToggle: () => void }) {
  const { node, depth, below, isOpen, key } = row;
  return (
    <li
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={false}
      {...(below > 0 && { 'aria-expanded': isOpen })}
      tabIndex={isFirst ? 0 : -1}
      data-key={key}
      className={cx(styles.row, node.hit && styles.hit)}
      style={{ '--depth': depth } as CSSProperties}
    >
      <div className={styles.name}>
        {below > 0 ? (
          <button type="button" className={styles.toggle} tabIndex={-1} aria-hidden="true" onClick={onToggle}>
            <IconChevronRight size={14} stroke={2} className={cx(styles.arrow, isOpen && styles.open)} />
          </button>
        ) : (
          <span className={styles.toggle} />
        )}
        <span className={styles.image} data-hint={node.image_full || undefined}>
          {node.image}
        </span>
        {node.pid !== '' && <span className={styles.pid}>{node.pid}</span>}
        {!node.hit && <span className={styles.inferred}>inferred</span>}
        {!isOpen && <span className={styles.inferred}>+{below}</span>}
      </div>
      <div className={styles.detail}>
        {node.cmdline !== '' && (
          <>
            <code className={styles.command}>{node.cmdline}</code>
            <CopyButton text={node.cmdline} what="command line" className={styles.copy} />
          </>
        )}
      </div>
      <div className={cx(styles.who, 'cut')}>
        {[node.user, node.computer].filter((part) => part !== '').join(' @ ')}
      </div>
      <div className={styles.time}>{node.time.slice(0, 19)}</div>
    </li>
  );
}

/** Arrow keys as in every tree: up and down, left closes, right opens. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>, toggle: (key: string, open: boolean) => void): void {
  const { key, currentTarget, target } = event;
  if (!(target instanceof HTMLElement) || target.dataset['key'] === undefined) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = rows.indexOf(target);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
  if (next !== undefined) rows[next]?.focus();
  else if ((key === 'ArrowLeft' || key === 'ArrowRight') && target.ariaExpanded !== null) {
    toggle(target.dataset['key'], key === 'ArrowRight');
  } else return;
  event.preventDefault();
}
