import type { operations, OutputOf, ProcessNode, ProcessTree } from '@svc/contracts';
import { foldedAddress, type EntityType } from '@svc/domain';

type ForestStats = NonNullable<OutputOf<typeof operations.getEntityProcessTree>['forest']>['stats'];
/** A node of a tree, whatever else it says. */
type Node<N> = Omit<ProcessNode, 'children'> & { readonly children: readonly N[] };
type Matcher = (node: Omit<ProcessNode, 'children'>, value: string) => boolean;

const lower = (text: string): string => text.toLowerCase();

/** How a process is an entity or names it, whose value is in lower case (resolved-platform 7). */
const matchers = {
  computer: ({ computer }, value) => computer !== '' && hostName(lower(computer)) === hostName(value),
  executable: ({ image, image_alts: others }, value) => [image, ...others].some((name) => lower(name) === value),
  cmdline_file: ({ cmdline }, value) => lower(cmdline).includes(value),
  user: ({ user }, value) => user !== '' && accountName(lower(user)) === accountName(value),
  hash: ({ hashes }, value) => hashes.some((hash) => lower(hash) === value),
} as const satisfies Partial<Record<EntityType, Matcher>>;
type LineageType = keyof typeof matchers;

/** Whether processes can be such a thing, or name it. */
export function isLineageType(type: EntityType): type is LineageType {
  return type in matchers;
}

/** Keeps what matches, what started it, and all that it started. */
export function pruneToEntity<N extends Node<N>>(
  { roots, stats }: { readonly roots: readonly N[]; readonly stats: ProcessTree['stats'] },
  { type, value }: { readonly type: LineageType; readonly value: string },
): { readonly roots: N[]; readonly stats: ForestStats } {
  const asked = lower(value);
  const isMatch = (node: N): boolean => matchers[type](node, asked);
  const kept = roots.flatMap((root) => prune(root, isMatch, false));
  const counted = { processes: 0, hits: 0, matched: 0 };
  count(kept, counted);
  return {
    roots: kept,
    stats: {
      ...stats,
      ...counted,
      inferred: counted.processes - counted.hits,
      roots: kept.length,
      entity_pruned: true,
      source_processes: stats.processes,
    },
  };
}

/** @param isBelow - whether what started it is kept with all of its subtree */
function prune<N extends Node<N>>(node: N, isMatch: (node: N) => boolean, isBelow: boolean): N[] {
  const match = isMatch(node);
  const children = node.children.flatMap((child) => prune(child, isMatch, isBelow || match));
  return match || isBelow || children.length > 0 ? [{ ...node, match, children }] : [];
}

function count<N extends Node<N>>(
  nodes: readonly N[],
  into: { processes: number; hits: number; matched: number },
): void {
  for (const { hit, match, children } of nodes) {
    into.processes += 1;
    if (hit) into.hits += 1;
    if (match) into.matched += 1;
    count(children, into);
  }
}

/** Without its domain; an address has none. */
function hostName(host: string): string {
  return foldedAddress(host) === null ? host.replace(/\..*$/, '') : host;
}

/** Without its domain, which stands before a backslash. */
function accountName(account: string): string {
  return account.slice(account.lastIndexOf('\\') + 1);
}
