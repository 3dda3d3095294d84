import type { Actor, EntityType } from '@svc/domain';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntityGraphs, Neighbour } from './entity-graphs.ts';
import { walkGraph } from './walk-graph.ts';

const viewer: Actor = { kind: 'anonymous', ip: '' };
const types: readonly EntityType[] = ['user', 'computer', 'hash', 'domain'];
const size = 40;

const edges = fc.array(
  fc.record({
    from: fc.nat(size - 1),
    id: fc.nat(size - 1),
    weight: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom('typed', 'finding', 'job'),
  }),
  { maxLength: 300 },
);

/** Hop by hop, node by node, without asking for parts of a front. */
function plainWalk(
  all: readonly Neighbour[],
  { hops, limit, most }: Readonly<Record<'hops' | 'limit' | 'most', number>>,
) {
  const met = [0];
  let front = [0];
  let hopsUsed = 0;
  while (hopsUsed < hops && front.length > 0) {
    hopsUsed += 1;
    const next: number[] = [];
    for (const node of front) {
      const others = [...new Set(all.filter(({ from }) => from === node).map(({ id }) => id))].map((id) => {
        const joined = all.filter((one) => one.from === node && one.id === id);
        const kind = (['typed', 'finding', 'job'] as const).findIndex((one) =>
          joined.some((edge) => edge.kind === one),
        );
        const ofKind = joined.filter((edge) => edge.kind === (['typed', 'finding', 'job'] as const)[kind]);
        const isPreferred = ['computer', 'executable', 'ip_address'].includes(joined[0]!.type);
        return { id, order: [kind, isPreferred ? 0 : 1, -ofKind.reduce((sum, { weight }) => sum + weight, 0), id] };
      });
      others.sort((a, b) => a.order.map((key, at) => key - b.order[at]!).find((by) => by !== 0) ?? 0);
      for (const { id } of others.slice(0, limit)) {
        if (met.includes(id)) continue;
        if (met.length >= most) return { ids: met, hopsUsed, isCut: true };
        met.push(id);
        next.push(id);
      }
    }
    front = next;
  }
  return { ids: met, hopsUsed, isCut: false };
}

it('meets what a walk meets that asks for each node by itself, however little has room', async () => {
  await fc.assert(
    fc.asyncProperty(
      edges,
      fc.record({
        hops: fc.integer({ min: 1, max: 3 }),
        limit: fc.integer({ min: 1, max: 9 }),
        most: fc.integer({ min: 2, max: size }),
      }),
      async (drawn, how) => {
        const all = drawn.map((edge): Neighbour => ({
          ...edge,
          type: types[edge.id % types.length]!,
          isAllowlisted: false,
        }));
        const neighbours: EntityGraphs['neighbours'] = (_, ids) =>
          Promise.resolve({ found: all.filter(({ from }) => ids.includes(from)), isCut: false });
        const walked = await walkGraph({ entityGraphs: { neighbours } as EntityGraphs }, viewer, {
          seeds: [0],
          type: 'user',
          job: null,
          hidesAllowlisted: false,
          follow: ['typed'],
          hops: how.hops,
          limit: how.limit,
          mostNodes: how.most,
        });
        expect(walked).toEqual(plainWalk(all, how));
      },
    ),
  );
});
