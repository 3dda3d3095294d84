import { edgeCode } from '@svc/domain';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinNodes, type GraphEdge } from './join-nodes.ts';

/** Far enough from each other that ids are no places. */
const idOf = (nth: number): number => 7 + nth * 3;

it('takes the edges that a look at each pair of nodes takes', () => {
  const groupsOf = (nodes: number) =>
    fc.array(fc.uniqueArray(fc.nat(nodes), { minLength: 2, maxLength: 6 }), { maxLength: 8 });
  const asked = fc.integer({ min: 1, max: 14 }).chain((nodes) =>
    fc.record({
      ids: fc.shuffledSubarray(
        Array.from({ length: nodes }, (_, nth) => nth),
        { minLength: nodes },
      ),
      focal: fc.option(fc.nat(nodes - 1), { nil: null }),
      findings: groupsOf(nodes),
      jobs: fc.oneof(groupsOf(nodes), fc.constantFrom('all' as const, null)),
      most: fc.integer({ min: 1, max: 120 }),
    }),
  );
  fc.assert(
    fc.property(asked, ({ ids: places, focal: focalPlace, findings, jobs, most }) => {
      const ids = places.map(idOf);
      const focal = focalPlace === null ? null : idOf(focalPlace);
      const named = (groups: readonly (readonly number[])[]) => groups.map((group) => group.map(idOf));
      const joins = { typed: [], findings: named(findings), jobs: Array.isArray(jobs) ? named(jobs) : jobs };
      const joined = joinNodes(ids, focal, joins, most);

      const together = (groups: readonly (readonly number[])[], a: number, b: number): number =>
        groups.filter((group) => group.includes(a) && group.includes(b)).length;
      const sorted = ids.toSorted((a, b) => a - b);
      const pairs = sorted.flatMap((a, nth) =>
        sorted.slice(nth + 1).flatMap((b) => {
          const matches = together(joins.findings, a, b);
          const shared = joins.jobs === 'all' ? 1 : together(joins.jobs ?? [], a, b);
          const kind = matches > 0 ? ('finding' as const) : ('job' as const);
          return matches + shared === 0 ? [] : { a, b, kind, weight: matches + shared };
        }),
      );
      const isFirst = ({ a, b }: { a: number; b: number }): number => (a === focal || b === focal ? 0 : 1);
      const expected = pairs
        .toSorted(
          (one, other) =>
            isFirst(one) - isFirst(other) ||
            edgeCode(other.kind) - edgeCode(one.kind) ||
            other.weight - one.weight ||
            one.a - other.a ||
            one.b - other.b,
        )
        .slice(0, most);
      const told = ({ source, target, code, weight }: GraphEdge) => [ids[source], ids[target], code, weight];
      expect(joined.edges.map(told)).toEqual(expected.map(({ a, b, kind, weight }) => [a, b, edgeCode(kind), weight]));
      expect(joined.total).toBe(pairs.length);
    }),
    { numRuns: 500 },
  );
});
