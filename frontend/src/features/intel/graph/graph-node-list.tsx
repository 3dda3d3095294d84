import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type KeyboardEvent } from 'react';
import { count } from '../../../ui/format.ts';
import { SeverityMark } from '../../../ui/severity.tsx';
import { EntityTypeMark } from '../entity-types.tsx';
import type { GraphNode } from './graph-model.ts';
import styles from './entity-graph.module.css';

interface NodeListProps {
  /** The most central first. */
  readonly nodes: readonly GraphNode[];
  readonly degrees: ReadonlyMap<number, number>;
  readonly selected: number | null;
  readonly onSelect: (id: number) => void;
  readonly onOpen: (id: number) => void;
}

/** All nodes as a list, for whoever cannot see or point at the picture: arrows go through it, Enter opens the entity. */
export function GraphNodeList({ nodes, degrees, selected, onSelect, onOpen }: NodeListProps) {
  const list = useRef<HTMLUListElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- its functions are called here and handed to nobody
  const rows = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => list.current,
    estimateSize: () => 28,
    overscan: 10,
  });
  const step = (event: KeyboardEvent<HTMLButtonElement>, at: number) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: nodes.length - 1 }[event.key];
    const node = next === undefined ? undefined : nodes[next];
    if (next === undefined || node === undefined) return;
    event.preventDefault();
    rows.scrollToIndex(next);
    onSelect(node.id);
    // It is drawn by then.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-node="${node.id}"]`)?.focus());
  };
  const current = Math.max(
    0,
    nodes.findIndex(({ id }) => id === selected),
  );
  return (
    <ul ref={list} className={styles.rows} aria-label="Nodes">
      <li aria-hidden="true" style={{ height: rows.getVirtualItems()[0]?.start ?? 0 }} />
      {rows.getVirtualItems().map(({ index }) => {
        const node = nodes[index]!;
        return (
          <li key={node.id}>
            <button
              type="button"
              className={styles.row}
              data-node={node.id}
              aria-current={node.id === selected}
              tabIndex={index === current ? 0 : -1}
              onClick={() => onSelect(node.id)}
              onDoubleClick={() => onOpen(node.id)}
              onKeyDown={(event) =>
                event.key === 'Enter' && node.id === selected ? onOpen(node.id) : step(event, index)
              }
            >
              <EntityTypeMark type={node.type} isShort />
              <span className={styles.name}>{node.label}</span>
              {node.severity !== null && <SeverityMark severity={node.severity} />}
              <span className={styles.amount}>{count(degrees.get(node.id) ?? 0)}</span>
            </button>
          </li>
        );
      })}
      <li
        aria-hidden="true"
        style={{ height: Math.max(0, rows.getTotalSize() - (rows.getVirtualItems().at(-1)?.end ?? 0)) }}
      />
    </ul>
  );
}
