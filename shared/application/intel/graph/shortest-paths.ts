/** What a step from some entities leads to: pairs of one of them and the other end. */
export type Steps = (
  ids: readonly number[],
) => Promise<{ readonly found: readonly { readonly from: number; readonly id: number }[]; readonly isCut: boolean }>;

export interface PathLimits {
  /** Steps of a path. */
  readonly steps: number;
  readonly paths: number;
  /** Entities that are looked at. */
  readonly nodes: number;
}

export interface ShortestPaths {
  /** Of each path; null where there is none within the limits. */
  readonly steps: number | null;
  /** By the ids in their order. */
  readonly paths: readonly (readonly number[])[];
  readonly isCapped: boolean;
  /** Nothing within reach was left out. */
  readonly isComplete: boolean;
}

/** One side of the search: the nodes it has reached, with those that lead to each on a shortest way. */
interface Side {
  readonly before: Map<number, number[]>;
  readonly depth: Map<number, number>;
  frontier: readonly number[];
  steps: number;
}

/** All shortest ways between two entities, breadth first from both ends, always from the side with the smaller front. */
export async function shortestPaths(
  { from, to }: { readonly from: number; readonly to: number },
  step: Steps,
  { steps: mostSteps, paths: mostPaths, nodes: mostNodes }: PathLimits,
): Promise<ShortestPaths> {
  if (from === to) return { steps: 0, paths: [[from]], isCapped: false, isComplete: true };
  const [here, there] = [sideOf(from), sideOf(to)];
  let isComplete = true;
  while (here.steps + there.steps < mostSteps && here.frontier.length > 0 && there.frontier.length > 0) {
    const [side, other] = here.frontier.length <= there.frontier.length ? [here, there] : [there, here];
    const { found, isCut } = await step(side.frontier);
    isComplete &&= !isCut;
    side.steps += 1;
    const next: number[] = [];
    for (const one of found) {
      const depth = side.depth.get(one.id);
      if (depth === undefined) {
        if (here.depth.size + there.depth.size >= mostNodes) {
          isComplete = false;
          continue;
        }
        side.depth.set(one.id, side.steps);
        side.before.set(one.id, [one.from]);
        next.push(one.id);
      } else if (depth === side.steps && !side.before.get(one.id)!.includes(one.from)) {
        side.before.get(one.id)!.push(one.from);
      }
    }
    side.frontier = next;
    const meeting = next.filter((id) => other.depth.has(id));
    if (meeting.length > 0) {
      // Both have gone all ways of their lengths, so that no shorter one is left out.
      const ways = meeting
        .sort((a, b) => a - b)
        .flatMap((id) => joined(waysTo(here, id, mostPaths + 1), waysTo(there, id, mostPaths + 1), mostPaths + 1))
        .slice(0, mostPaths + 1);
      return {
        steps: here.steps + there.steps,
        paths: ways.slice(0, mostPaths).sort(byIds),
        isCapped: ways.length > mostPaths,
        isComplete,
      };
    }
  }
  return { steps: null, paths: [], isCapped: false, isComplete };
}

function sideOf(id: number): Side {
  return { before: new Map([[id, []]]), depth: new Map([[id, 0]]), frontier: [id], steps: 0 };
}

/** Ways from where a side began to one that it has reached. */
function waysTo({ before }: Pick<Side, 'before'>, id: number, most: number): number[][] {
  const parents = before.get(id)!;
  if (parents.length === 0) return [[id]];
  const ways: number[][] = [];
  for (const parent of parents.toSorted((a, b) => a - b)) {
    for (const way of waysTo({ before }, parent, most - ways.length)) ways.push([...way, id]);
    if (ways.length >= most) break;
  }
  return ways;
}

function joined(heads: readonly number[][], tails: readonly number[][], most: number): number[][] {
  return heads.flatMap((head) => tails.map((tail) => [...head, ...tail.toReversed().slice(1)])).slice(0, most);
}

function byIds(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((id, place) => id !== b[place]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
