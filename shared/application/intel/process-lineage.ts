import type { operations, OutputOf, ProcessNode, ProcessTree } from '@svc/contracts';
import { foldedAddress, type EntityType } from '@svc/domain';

type Forest = NonNullable<OutputOf<typeof operations.getEntityProcessTree>['forest']>;
type Matcher = (node: ProcessNode, value: string) => boolean;

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
export function pruneToEntity(
  { roots, stats }: ProcessTree,
  { type, value }: { readonly type: LineageType; readonly value: string },
): Forest {
  const asked = lower(value);
  const isMatch = (node: ProcessNode): boolean => matchers[type](node, asked);
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
function prune(node: ProcessNode, isMatch: (node: ProcessNode) => boolean, isBelow: boolean): ProcessNode[] {
  const match = isMatch(node);
  const children = node.children.flatMap((child) => prune(child, isMatch, isBelow || match));
  return match || isBelow || children.length > 0 ? [{ ...node, match, children }] : [];
}

function count(nodes: readonly ProcessNode[], into: { processes: number; hits: number; matched: number }): void {
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
