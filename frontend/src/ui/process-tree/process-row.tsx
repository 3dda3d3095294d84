import type { Severity } from '@svc/domain';
import { IconChevronRight } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { cx } from '../class-names.ts';
import { CopyButton } from '../copy-button.tsx';
import { SeverityMark } from '../severity.tsx';
import styles from './process-tree.module.css';
import { whoOf, type TreeNode, type TreeRow } from './tree-rows.ts';

interface RowProps<N> {
  readonly row: TreeRow<N>;
  readonly index: number;
  /** Pixels of the rows that are left out above it. */
  readonly gap: number;
  /** The one that Tab leads to. */
  readonly isCurrent: boolean;
  /** Of its findings; undefined for a process without any. */
  readonly worst: Severity | undefined;
  readonly measure: (row: HTMLElement | null) => void;
  readonly onToggle: () => void;
  /** Opens its details, or closes them. */
  readonly onOpen: () => void;
  /** What else the row says behind the name. */
  readonly mark: ReactNode;
  /** The details, when they are open. */
  readonly children: ReactNode;
}

/** Longer command lines are cut; they are shown whole in the row that has the focus. */
const longCommand = 60;
const mostOfHint = 600;

/** A process under the one that started it. */
export function ProcessRow<N extends TreeNode<N>>(props: RowProps<N>) {
  const { row, index, gap, isCurrent, worst, measure, onToggle, onOpen, mark, children } = props;
  const { node, depth, below, isOpen, place, siblings } = row;
  const who = whoOf(node);
  return (
    <li
      ref={measure}
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={false}
      {...(below > 0 && { 'aria-expanded': isOpen })}
      tabIndex={isCurrent ? 0 : -1}
      data-index={index}
      className={cx(styles.row, node.hit && styles.hit)}
      style={{ '--depth': depth, marginTop: gap } as CSSProperties}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- Enter does the same on the row, which has the focus */}
      <div className={styles.line} onClick={onOpen}>
        <div className={styles.name}>
          {below > 0 ? (
            <button
              type="button"
              className={styles.toggle}
              tabIndex={-1}
              aria-hidden="true"
              onClick={(event) => {
                event.stopPropagation();
                onToggle();
              }}
            >
              <IconChevronRight size={14} stroke={2} className={cx(styles.arrow, isOpen && styles.open)} />
            </button>
          ) : (
            <span className={styles.toggle} />
          )}
          {worst && <SeverityMark severity={worst} />}
          <span
            className={cx(styles.image, worst === undefined && node.hit && styles.dotted)}
            data-hint={node.image_full || undefined}
          >
            {node.image}
          </span>
          {node.pid !== '' && <span className={styles.pid}>{node.pid}</span>}
          {!node.hit && <span className={styles.inferred}>inferred</span>}
          {!isOpen && <span className={styles.inferred}>+{below}</span>}
          {mark}
        </div>
        <div className={styles.detail}>
          {node.cmdline !== '' && (
            <>
              <code className={styles.command} data-hint={hintOf(node.cmdline)}>
                {node.cmdline}
              </code>
              <CopyButton text={node.cmdline} what="command line" className={styles.copy} />
            </>
          )}
        </div>
        <div className={cx(styles.who, 'cut')} data-hint={who || undefined}>
          {who}
        </div>
        <div className={styles.time}>{node.time.slice(0, 19)}</div>
      </div>
      {children}
    </li>
  );
}

function hintOf(command: string): string | undefined {
  if (command.length < longCommand) return undefined;
  return command.length > mostOfHint ? `${command.slice(0, mostOfHint)} …` : command;
}
