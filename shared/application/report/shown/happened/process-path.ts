import type { FindingRow, ProcessTree } from '@svc/contracts';
import { severityRank } from '@svc/domain';

type Node = ProcessTree['roots'][number];

/** How a process came to run: those that started each other down to it, and what rules matched of it. */
export interface ProcessPath {
  /** From the first known ancestor on; at least two. */
  readonly path: readonly Node[];
  readonly worst: FindingRow;
  /** Processes below it that rules matched. */
  readonly hitsBelow: number;
}

/** What the tree calls a process that no event names. */
const unknown = 'unknown ancestor';

/** The process with the worst of the findings that some other is known to have started; null without one. */
export function worstProcess(roots: readonly Node[], findings: readonly FindingRow[]): ProcessPath | null {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  let found: { path: readonly Node[]; worst: FindingRow } | null = null;
  const look = (node: Node, above: readonly Node[]): void => {
    const path = [...above, node];
    const matched = node.findings.flatMap((id) => byId.get(id) ?? []).sort(worstFirst);
    const [worst] = matched;
    if (worst && above.length > 0 && (found === null || worstFirst(worst, found.worst) < 0)) found = { path, worst };
    for (const child of node.children) look(child, node.image === unknown ? above : path);
  };
  for (const root of roots) look(root, []);
  // Assigned in a function, which the compiler does not follow.
  const best = found as { path: readonly Node[]; worst: FindingRow } | null;
  return best && { ...best, hitsBelow: hitsBelow(best.path.at(-1)!) };
}

function worstFirst(a: FindingRow, b: FindingRow): number {
  return severityRank(a.severity) - severityRank(b.severity) || b.count - a.count || a.id - b.id;
}

function hitsBelow({ children }: Node): number {
  return children.reduce((sum, child) => sum + (child.hit ? 1 : 0) + hitsBelow(child), 0);
}
