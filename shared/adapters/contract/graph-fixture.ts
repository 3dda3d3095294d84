import type { Ports } from '@svc/application/ports/ports.ts';
import type { EntityGraph } from '@svc/contracts';
import { edgeCode, entityTypes, type Actor, type EntityType, type RelationshipKind } from '@svc/domain';
import { derived } from '../testing/fake-derived.ts';
import { finding } from '../testing/fake-engine.ts';
import { account, at, jobFixture, outcome } from './job-fixture.ts';

export interface NamingJob {
  /** 0 or 1, whose private job it is; null for one of everybody. */
  readonly by: 0 | 1 | null;
  readonly names: readonly number[];
  /** What each finding names, by places of `names`, as edges do. */
  readonly findings: readonly (readonly number[])[];
  readonly edges: readonly (readonly [source: number, type: RelationshipKind, target: number])[];
}

export const jobs: readonly NamingJob[] = [
  {
    by: null,
    names: [0, 1, 2, 3, 4],
    findings: [
      [0, 1],
      [0, 1, 2],
    ],
    edges: [
      [0, 'runs_as', 1],
      [0, 'connects_to', 2],
      [3, 'parent_of', 0],
    ],
  },
  { by: null, names: [1, 4, 5, 6, 0], findings: [[1, 5]], edges: [[5, 'parent_of', 6]] },
  {
    by: 0,
    names: [0, 6, 7, 8, 9],
    findings: [
      [0, 7],
      [0, 9, 8],
    ],
    edges: [
      [6, 'parent_of', 7],
      [7, 'runs_as', 8],
      [0, 'loads', 9],
    ],
  },
  { by: 1, names: [9, 10, 2], findings: [[10, 2]], edges: [[10, 'resolves_to', 2]] },
  { by: null, names: [11, 12], findings: [], edges: [[11, 'queries', 12]] },
];
const types: readonly EntityType[] = entityTypes;
export const typeOf = (place: number): EntityType => types[(place * 4) % types.length]!;
const pairs = (of: readonly number[]): (readonly [number, number])[] =>
  of.flatMap((a) => of.filter((b) => a < b).map((b) => [a, b] as const));

export const ascending = (a: number, b: number): number => a - b;

/** Edges among nodes as `source target code weight`; typed ones are of all jobs unless there is one. */
export function expectedEdges(
  seen: readonly NamingJob[],
  nodes: ReadonlySet<number>,
  ids: readonly number[],
  job: NamingJob | null,
): string[] {
  const edges: string[] = [];
  for (const [a, b] of pairs([...nodes].sort(ascending))) {
    const shared = seen.filter(({ names }) => names.includes(a) && names.includes(b)).length;
    const matches = seen.flatMap(({ findings }) => findings).filter((of) => of.includes(a) && of.includes(b)).length;
    const ends = [ids[a]!, ids[b]!].sort(ascending).join(' ');
    if (matches > 0) edges.push(`${ends} 1 ${matches + shared}`);
    else if (shared > 0) edges.push(`${ends} 0 ${shared}`);
  }
  for (const [source, type, target] of (job === null ? jobs : [job]).flatMap((one) => one.edges))
    if (nodes.has(source) && nodes.has(target)) edges.push(`${ids[source]} ${ids[target]} ${edgeCode(type)} 3`);
  return edges.sort();
}

/** Edges as `source target code weight`. */
export const edgesOf = ({ n, e }: EntityGraph): string[] =>
  e.s
    .map((source, place) => {
      const ends = [n.id[source]!, n.id[e.t[place]!]!];
      return [...(e.k[place]! < 2 ? ends.sort(ascending) : ends), e.k[place], e.w[place]].join(' ');
    })
    .sort();

/** When a finding of a job fired, in seconds. */
export const firedAt = (job: number, nth: number): number => 1_785_579_300 + job * 3600 + nth * 60;

/** Jobs whose entities, findings and relationships are known; `make` gives empty repositories with workflows, before each test. */
export function graphFixture(make: () => Promise<Ports>) {
  let ports: Ports;
  const { submit, userNamed } = jobFixture(async () => (ports = await make()));

  async function stored(nth: number, over: object): Promise<number> {
    const { names, findings, edges } = jobs[nth]!;
    const { job } = await submit({ job: over });
    await ports.jobs.claim(job.id, 'claim', at);
    const task = { engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 } as const;
    const [id = 0] = await ports.results.addTasks(job.id, [task], at);
    await ports.results.startTask(id, at);
    const told = findings.map((_, which) =>
      finding({
        ruleId: `rule-${which}`,
        tags: which === 0 ? ['attack.execution', 'attack.impact'] : ['attack.t1003'],
        severity: which === 0 ? 'high' : 'low',
      }),
    );
    const markers = findings.map((_, which) => ({ time: firedAt(nth, which), rule: which, computer: null, count: 1 }));
    const alerts = { resolution: 1, markers, total: markers.length, undated: 0 };
    await ports.results.finishTask(
      id,
      outcome({ findings: told, derived: derived({ alerts, tactics: told.map(() => 'execution') }) }),
      at,
    );
    const found = await ports.findings.withEvents(job.id);
    const place = (name: number): number => names.indexOf(name);
    await ports.transaction(async (tx) => {
      await tx.jobs.hold([job.id]);
      const intel = {
        entities: names.map((name) => ({ type: typeOf(name), value: `value ${name}`, count: 1 + (name % 3) })),
        findings: found
          .toSorted((a, b) => a.id - b.id)
          .map((one, which) => ({ finding: one.id, entities: findings[which]!.map(place) })),
        relationships: edges.map(([source, type, target]) => ({
          type,
          source: place(source),
          target: place(target),
          count: 3,
          failed: 0,
          observedFrom: null,
          observedTo: null,
          samples: [],
        })),
      };
      const plain = { version: 1, describe: () => ({ attributes: null, keys: [] }) };
      await tx.intel.replace([{ jobId: job.id, intel, at, isLocal: false }], plain);
    });
    return job.id;
  }

  /** The jobs, who looks, and ids of what they name by their numbers. */
  async function world() {
    const owners = [await userNamed('mine@example.org'), await userNamed('yours@example.org')] as const;
    const viewers = [account(owners[0], 'member'), account(owners[1], 'member'), account(owners[1], 'admin')];
    const stranger = account(await userNamed('third@example.org'), 'member');
    const jobIds: number[] = [];
    for (const [nth, job] of jobs.entries())
      jobIds.push(await stored(nth, job.by === null ? {} : { submittedBy: owners[job.by], isPrivate: true }));
    const ids: number[] = [];
    for (let name = 0; name <= 12; name++)
      ids.push((await ports.entities.find({ type: typeOf(name), value: `value ${name}` }))!);
    const seenBy = (viewer: Actor): readonly NamingJob[] =>
      jobs.filter(
        ({ by }) =>
          by === null || (viewer.kind === 'account' && (viewer.role === 'admin' || viewer.userId === owners[by])),
      );
    return { jobIds, ids, owners, viewers: [...viewers, stranger], seenBy };
  }

  return { ports: () => ports, world };
}
