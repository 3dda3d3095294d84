import type { ProcessNode } from '@svc/contracts';

/** A process of a tree, whatever else is known of it. */
export type TreeNode<N> = Omit<ProcessNode, 'children'> & { readonly children: readonly N[] };

/** A process with its place in the tree. */
export interface TreeLine<N = ProcessNode> {
  /** Its places from the root on: `0.2.1`. */
  readonly key: string;
  readonly node: N;
  readonly depth: number;
  /** Processes below it. */
  readonly below: number;
  /** Where in the list the process that started it is; −1 for none. */
  readonly parent: number;
}

/** One visible line of the tree. */
export interface TreeRow<N = ProcessNode> extends TreeLine<N> {
  readonly isOpen: boolean;
  /** Among the visible lines of the same parent, from 1 on, and how many those are. */
  readonly place: number;
  readonly siblings: number;
}

/** All processes of a tree in the order of its lines, each followed by those below it. */
export function treeLines<N extends TreeNode<N>>(roots: readonly N[]): TreeLine<N>[] {
  const lines: TreeLine<N>[] = [];
  const walk = (nodes: readonly N[], parent: number): void => {
    const above = lines[parent];
    for (const [place, node] of nodes.entries()) {
      const at = lines.length;
      const key = above === undefined ? String(place) : `${above.key}.${place}`;
      const line = { key, node, depth: above === undefined ? 0 : above.depth + 1, below: 0, parent };
      lines.push(line);
      walk(node.children, at);
      line.below = lines.length - at - 1;
    }
  };
  walk(roots, -1);
  return lines;
}

/** What of a tree is looked at. */
export interface TreeFilter {
  /** Only lines that contain it, and what leads to them. */
  readonly text: string;
  /** Only processes that a rule matched, each under the nearest of them above it. */
  readonly onlyHits: boolean;
}

/** The lines that pass a filter and are not below a closed one; a text opens what leads to it. */
export function treeRows<N extends TreeNode<N>>(
  all: readonly TreeLine<N>[],
  closed: ReadonlySet<string>,
  { text, onlyHits }: TreeFilter,
): TreeRow<N>[] {
  const wanted = text.trim().toLowerCase();
  const lines = onlyHits ? hitsOf(all) : all;
  if (wanted !== '') return placed(found(lines, wanted), () => true);
  const isOpen = ({ key }: TreeLine<N>): boolean => !closed.has(key);
  const seen: TreeLine<N>[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    seen.push(line);
    if (!isOpen(line)) at += line.below;
  }
  return placed(seen, isOpen);
}

/** The matched processes alone; depths and parents are those among them. */
function hitsOf<N extends TreeNode<N>>(lines: readonly TreeLine<N>[]): TreeLine<N>[] {
  const hits: TreeLine<N>[] = [];
  /** Where each line, or the nearest hit above it, stands among the hits; −1 for none. */
  const places: number[] = [];
  for (const { parent, ...line } of lines) {
    const above = parent < 0 ? -1 : places[parent]!;
    if (line.node.hit) {
      hits.push({ ...line, depth: above < 0 ? 0 : hits[above]!.depth + 1, below: 0, parent: above });
      for (let at = above; at >= 0; at = hits[at]!.parent) (hits[at] as { below: number }).below += 1;
    }
    places.push(line.node.hit ? hits.length - 1 : above);
  }
  return hits;
}

function placed<N>(lines: readonly TreeLine<N>[], isOpen: (line: TreeLine<N>) => boolean): TreeRow<N>[] {
  const counts = new Map<number, number>();
  const places = lines.map(({ parent }) => {
    const place = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, place);
    return place;
  });
  return lines.map((line, at) => ({
    ...line,
    isOpen: isOpen(line),
    place: places[at]!,
    siblings: counts.get(line.parent)!,
  }));
}

/** All nodes that have children, by place. */
export function innerKeys(lines: readonly Pick<TreeLine, 'below' | 'key'>[]): string[] {
  return lines.filter(({ below }) => below > 0).map(({ key }) => key);
}

function found<N extends TreeNode<N>>(lines: readonly TreeLine<N>[], text: string): TreeLine<N>[] {
  const kept = lines.map(({ node }) => contains(node, text));
  // From the last, so that what is kept below a line has kept its parent before that is looked at.
  for (const [at, { parent }] of [...lines.entries()].toReversed()) {
    if (kept[at] && parent >= 0) kept[parent] = true;
  }
  return lines.filter((_, at) => kept[at]);
}

function contains(
  { image_full: path, image, cmdline, user, pid, hashes }: Omit<ProcessNode, 'children'>,
  text: string,
): boolean {
  return [path, image, cmdline, user, pid, ...hashes].some((value) => value.toLowerCase().includes(text));
}

/** The account of a process and its computer, which is named once where the account is one of that computer. */
export function whoOf({ user, computer }: Pick<ProcessNode, 'user' | 'computer'>): string {
  const isLocal = user.toLowerCase().startsWith(`${computer.toLowerCase().split('.')[0]}\\`);
  return [user, isLocal ? '' : computer].filter((part) => part !== '').join(' @ ');
}
