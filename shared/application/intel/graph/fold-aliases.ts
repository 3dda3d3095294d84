import { strongestVerdict } from '@svc/domain';
import type { EntityAliases } from '../entity-aliases.ts';
import type { GraphNode } from './entity-graphs.ts';
import type { Joins } from './join-nodes.ts';

type Groups = Awaited<ReturnType<EntityAliases['groupsOf']>>;

/** The entity that stands for all that one is the same as: the lowest id, whichever of them were met. */
export function headOf(groups: Groups, id: number): number {
  return groups.get(id)?.[0]?.id ?? id;
}

/** One node for each group, where its first one stood: the name of its head, and what is said of any of them. */
export function foldNodes(nodes: readonly GraphNode[], groups: Groups): readonly GraphNode[] {
  if (groups.size === 0) return nodes;
  const folded = new Map<number, GraphNode[]>();
  for (const node of nodes) {
    const head = headOf(groups, node.id);
    folded.set(head, [...(folded.get(head) ?? []), node]);
  }
  return [...folded].map(([head, members]) => {
    const [only, ...further] = members;
    if (further.length === 0) return only!;
    const worst = members.toSorted((a, b) => (a.severityRank ?? Infinity) - (b.severityRank ?? Infinity))[0]!;
    return {
      ...members.find(({ id }) => id === head)!,
      attributes: [...new Set(members.flatMap(({ attributes }) => attributes))],
      isWatched: members.some(({ isWatched }) => isWatched),
      isAllowlisted: members.every(({ isAllowlisted }) => isAllowlisted),
      tags: [...new Set(members.flatMap(({ tags }) => tags))],
      severityRank: worst.severityRank,
      tactic: worst.tactic,
      verdict: strongestVerdict(members.map(({ verdict }) => verdict)),
      cases: [...new Set(members.flatMap(({ cases }) => cases))],
    };
  });
}

/** What joins them: relationships of one type add up under the strongest, and jobs and matches name each group once. */
export function foldJoins({ typed, findings, jobs }: Joins, groups: Groups): Joins {
  if (groups.size === 0) return { typed: typed.filter(({ source, target }) => source !== target), findings, jobs };
  const related = new Map<string, Joins['typed'][number]>();
  for (const edge of typed) {
    const [source, target] = [headOf(groups, edge.source), headOf(groups, edge.target)];
    if (source === target) continue;
    const key = `${source} ${target} ${edge.type}`;
    const known = related.get(key);
    // The strongest come first, and give the number.
    related.set(key, { ...(known ?? edge), source, target, occurrences: edge.occurrences + (known?.occurrences ?? 0) });
  }
  const once = (ids: readonly number[]): readonly number[] => [...new Set(ids.map((id) => headOf(groups, id)))];
  return {
    typed: [...related.values()],
    findings: findings.map(once),
    jobs: jobs === null || jobs === 'all' ? jobs : jobs.map(once),
  };
}
