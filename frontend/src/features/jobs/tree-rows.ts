import type { ProcessNode } from '@svc/contracts';

/** One visible line of the tree. */
export interface TreeRow {
  /** Place in the tree, `0.2.1`. */
  readonly key: string;
  readonly node: ProcessNode;
  readonly depth: number;
  /** Processes below it. */
  readonly below: number;
  readonly isOpen: boolean;
}

/**
 * The lines that are seen: children of closed nodes are not. With a text only those that contain it and what
 * leads to them.
 */
export function treeRows(roots: readonly ProcessNode[], closed: ReadonlySet<string>, text: string): TreeRow[] {
  const wanted = text.trim().toLowerCase();
  const rows: TreeRow[] = [];
  const walk = (nodes: readonly ProcessNode[], depth: number, parent: string): void => {
    for (const [place, node] of nodes.entries()) {
      if (wanted !== '' && !contains(node, wanted)) continue;
      const key = parent === '' ? String(place) : `${parent}.${place}`;
      const isOpen = wanted !== '' || !closed.has(key);
      rows.push({ key, node, depth, below: sizeOf(node) - 1, isOpen });
      if (isOpen) walk(node.children, depth + 1, key);
    }
  };
  walk(roots, 0, '');
  return rows;
}

/** All nodes that have children, by place. */
export function innerKeys(roots: readonly ProcessNode[]): string[] {
  return treeRows(roots, new Set(), '')
    .filter(({ below }) => below > 0)
    .map(({ key }) => key);
}

function contains(node: ProcessNode, text: string): boolean {
  const { image_full: path, image, cmdline, user, pid, hashes } = node;
  return (
    [path, image, cmdline, user, pid, ...hashes].some((value) => value.toLowerCase().includes(text)) ||
    node.children.some((child) => contains(child, text))
  );
}

function sizeOf(node: ProcessNode): number {
  return node.children.reduce((sum, child) => sum + sizeOf(child), 1);
}
