import { linkEntities } from '@svc/adapters/testing/link-entities.ts';
import type { Database } from '@svc/adapters/postgres/database.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { getCaseGraph } from '@svc/application/cases/get-case-graph.ts';
import { countGraphNeighbours } from '@svc/application/intel/count-graph-neighbours.ts';
import { findGraphPath } from '@svc/application/intel/find-graph-path.ts';
import { getEntityGraph } from '@svc/application/intel/get-entity-graph.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { getEntitySightings } from '@svc/application/intel/get-entity-sightings.ts';
import { getEntityThreats } from '@svc/application/intel/get-entity-threats.ts';
import { getIntel } from '@svc/application/intel/get-intel.ts';
import { listAssociatedEntities } from '@svc/application/intel/list-associated-entities.ts';
import { listEntities } from '@svc/application/intel/list-entities.ts';
import { listEntitiesTogether } from '@svc/application/intel/list-entities-together.ts';
import { listEntityFindings } from '@svc/application/intel/list-entity-findings.ts';
import { listEntityJobs } from '@svc/application/intel/list-entity-jobs.ts';
import { listEntityRelationships } from '@svc/application/intel/list-entity-relationships.ts';
import { suggestEntitySearch } from '@svc/application/intel/suggest-entity-search.ts';
import { operations } from '@svc/contracts';
import { graphLimits, type Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { caseStory } from './intel-case.ts';
import type { IntelPart, IntelPorts, Measured } from './intel-part.ts';

const [listMs, everyWordMs, pageMs, suggestionMs, graphMs] = [100, 1500, 150, 50, 1000];

const terms = [
  'setup',
  'svc-',
  'setup12.com',
  'corp',
  'e',
  'zzz',
  '^admin*',
  '*.exe$',
  'up*12*.com',
  'Windows Agent',
  '-"a"',
  'type:user',
  'type:hash',
  'type:ip,domain',
  'attr:lolbin',
  'attr:sha256',
  'label:public',
  'tag:c2',
  'tag:apt/',
  'tag:triage',
  '-tag:triage',
  'cidr:10.7.0.0/16',
  'cidr:10.0.0.0/8',
  '-cidr:10.0.0.0/8',
  'in:(ws-0000555.corp.example,10.0.0.103)',
  'job:1',
  'job:500,501,502',
  'jobs:>1000',
  'jobs:3..10',
  'seen:<30d',
  'seen:<52w',
  'first:<1d',
  'first:>=2025-01-01',
  'is:watched',
  'is:allowlisted',
  'has:note',
  'has:comment',
  'has:finding',
  '-has:finding',
  're:/^admin\\.[0-9]{3}/',
  're:/setup[0-9]+\\.(com|net)$/',
  'setup OR svc-',
  'type:domain (setup OR tag:c2) -tag:triage',
  'type:executable jobs:>20 -is:allowlisted',
  'type:ip has:finding jobs:>5',
  'job:1 type:hash',
];

/** Patterns that no index helps with: every value is read. */
const everyWord = ['re:/[0-9]{4}$/', 're:/^.{20}$/', 're:/(.)x[a-f]|q$/', 're:/zz.?9/'];

/** Places in the list: halfway by a cursor, and the last one. */
const halfway = `older-${Date.parse('2021-08-01T00:00:00Z')}-1`;
const oldest = 'newer-0-0';

export const intelParts: Readonly<Record<string, IntelPart>> = {
  case: caseStory,
  list: async (ports, viewer) => {
    const list = listing(ports, viewer);
    return [
      list('list, first page', {}),
      list('list, page 200', { page: 200 }),
      list('list, halfway by a cursor', { cursor: halfway }),
      list('list, last by a cursor', { cursor: oldest }),
      list('list without allowlisted ones', { include_allowlisted: '0' }),
      list('list of a job', { job: '500' }),
      ...['first_seen', 'jobs', '-jobs', 'value', '-value', 'watchlist'].map((sort) => list(`by ${sort}`, { sort })),
      ...['setup', 'type:hash', 'has:finding', 'tag:c2'].flatMap((q) => [
        list(`${q}, by jobs`, { q, sort: 'jobs' }),
        list(`${q}, by value`, { q, sort: 'value' }),
        list(`${q}, halfway by a cursor`, { q, cursor: halfway }),
      ]),
      {
        name: 'what there is on the whole',
        longestMs: listMs,
        run: async () => (await getIntel(ports, viewer, operations.getIntel.query.parse({}))).total_entities,
      },
    ];
  },
  terms: async (ports, viewer) => {
    const list = listing(ports, viewer);
    return [...terms.map((q) => list(q, { q })), ...everyWord.map((q) => list(q, { q }, everyWordMs))];
  },
  /** What a page asks for at once. */
  page: async (ports, viewer, db) => {
    const found = await someEntities(db);
    return found.flatMap(({ id, jobs }) => {
      const asks: readonly (readonly [string, () => Promise<number>])[] = [
        ['itself', async () => (await getEntity(ports, viewer, { id, job: null })).job_count],
        [
          'jobs',
          async () => (await listEntityJobs(ports, viewer, { id, page: 1, per: 50, fold_aliases: false })).total,
        ],
        [
          'findings',
          async () =>
            (
              await listEntityFindings(ports, viewer, {
                id,
                page: 1,
                job: null,
                fold_aliases: false,
                suppressed: false,
              })
            ).total,
        ],
        ['relationships', async () => (await listEntityRelationships(ports, viewer, { id, job: null })).total],
        ['sightings', async () => (await getEntitySightings(ports, viewer, { id })).jobs],
        ['threats', async () => (await getEntityThreats(ports, viewer, { id })).total],
        ['associated', async () => (await listAssociatedEntities(ports, viewer, { id })).groups.length],
        ['named together', async () => (await listEntitiesTogether(ports, viewer, { id })).items.length],
      ];
      const name = `entity of ${jobs} jobs`;
      return [
        ...asks.map(([what, run]) => ({ name: `${name}: ${what}`, longestMs: pageMs, run })),
        {
          name: `${name}: its page`,
          longestMs: pageMs,
          run: async () => (await Promise.all(asks.map(([, run]) => run()))).join(' '),
        },
      ];
    });
  },
  /** As the page asks at first, with what jobs name together, and as much as there may be. */
  graph: async (ports, viewer, db) => {
    const found = await someEntities(db);
    const largest = { hops: '3', limit: String(graphLimits.neighbours), via: 'typed' };
    const graphs: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['graph', { only: 'typed,finding', job_edges: '0' }],
      ['graph with jobs', { via: 'typed' }],
      ['graph at the caps', largest],
      ['graph at the caps, filtered', { ...largest, q: 'type:hash -tag:triage' }],
    ];
    const ofEach = found.flatMap(({ id, jobs }) => {
      const name = `entity of ${jobs} jobs`;
      return [
        ...graphs.map(([what, query]) => ({
          name: `${name}: ${what}`,
          longestMs: graphMs,
          run: async () => {
            const asked = operations.getEntityGraph.query.parse(query);
            const { stats } = await getEntityGraph(ports, viewer, { id, ...asked });
            return `${stats.nodes} nodes, ${stats.edges} edges`;
          },
        })),
        {
          name: `${name}: neighbours counted`,
          longestMs: graphMs,
          run: async () => {
            const asked = operations.countGraphNeighbours.query.parse({});
            const { groups } = await countGraphNeighbours(ports, viewer, { id, ...asked });
            return groups.reduce((sum, { neighbours }) => sum + neighbours, 0);
          },
        },
      ];
    });
    const paths = found.slice(1).flatMap(({ id: to, jobs }, place) =>
      ['typed', 'typed,finding'].map((kinds) => ({
        name: `path of ${found[place]!.jobs} to ${jobs} jobs, ${kinds}`,
        longestMs: graphMs,
        run: async () => {
          const asked = operations.findGraphPath.query.parse({ from: found[place]!.id, to, kinds });
          const way = await findGraphPath(ports, viewer, asked);
          return `${way.steps} steps, ${way.paths.length} paths`;
        },
      })),
    );
    return [...ofEach, ...paths];
  },
  /** As many members as are shown: those that most jobs name, and as many from all over. */
  'graph-of-case': async (ports, viewer, db) => {
    const ownerId = viewer.kind === 'account' ? viewer.userId : '';
    const [row] = await rowsOf<{ most: number }>(db, sql`select max(id) as most from entities`);
    const spread = Math.max(1, Math.floor(row!.most / graphLimits.nodes));
    const cases = [];
    for (const [name, step] of [
      ['of the busiest', 1],
      ['of all sorts', spread],
    ] as const) {
      const at = ports.clock.now();
      const { id } = await ports.cases.create({ name, ownerId, isShared: false, at });
      const ids = Array.from({ length: Math.min(graphLimits.nodes, row!.most) }, (_, nth) => 1 + nth * step);
      await linkEntities(ports, id, ids, { by: ownerId, at });
      cases.push({ id, name });
    }
    return cases.flatMap(({ id, name }) =>
      ['0', '1'].map((jobEdges) => ({
        name: `case ${name}${jobEdges === '1' ? ', with jobs' : ''}`,
        longestMs: graphMs,
        run: async () => {
          const asked = operations.getCaseGraph.query.parse({ job_edges: jobEdges });
          const { stats } = await getCaseGraph(ports, viewer, { id, ...asked });
          return `${stats.nodes} nodes, ${stats.edges} edges`;
        },
      })),
    );
  },
  suggestions: async (ports, viewer) =>
    ['ta', 'type:', 'label:a', 'tag:ap', 'tag:', 'job:', 'job:security', 'job:12', 'job:nothing'].map((q) => ({
      name: `completing ${q}`,
      longestMs: suggestionMs,
      run: async () => (await suggestEntitySearch(ports, viewer, { q, pos: q.length })).suggestions.length,
    })),
};

/** Entities that nearly all jobs, some and few name. */
function someEntities(db: Database): Promise<{ id: number; jobs: number }[]> {
  return rowsOf(
    db,
    sql`select found as id, jobs from (values (1), (300), (100000)) as wanted(id) cross join lateral (
          select id, job_count as jobs from entities where entities.id >= least(wanted.id, (select max(id) from entities))
          order by id limit 1) as found(found, jobs)`,
  );
}

function listing(ports: IntelPorts, viewer: Actor) {
  return (name: string, query: Readonly<Record<string, unknown>>, longestMs = listMs): Measured => ({
    name,
    longestMs,
    run: async () => (await listEntities(ports, viewer, operations.listEntities.query.parse(query))).total,
  });
}
