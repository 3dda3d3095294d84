import { entityTypes, graphLimits, relationshipKinds, togetherKinds } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, PathId, ScopeJob, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { EntityName, RelationshipType } from './entity-links.ts';

const column = z.array(z.number().int());
/** A node's position, then what it has. */
const ofNode = z.array(column);

/** Entities and what joins them, in columns; edges name nodes by position (resolved-intel 7.3). */
export const EntityGraph = z.object({
  v: z.literal(1),
  scope: z.enum(['entity', 'case']),
  /** Of a case. */
  case_name: z.string().optional(),
  focal: z.number().int().nullable(),
  n: z.object({
    id: column,
    lb: z.array(z.string()),
    ty: column,
    sub: column,
    fl: column,
    jc: column,
    sv: column,
    tc: column,
    tg: ofNode,
    /** Entities that are the same as a node's, and are folded into it; only where they are, and there are any. */
    al: ofNode.optional(),
    /** Columns without a value in them are left out. */
    en: column.optional(),
    /** Visible cases that hold a node, but for the one that is looked at. */
    ca: ofNode.optional(),
    /** Positions of nodes that meet `q`; only where there is one. */
    mt: column.optional(),
  }),
  e: z.object({ s: column, t: column, k: column, w: column, rid: column }),
  dict: z.object({ tags: z.array(z.string()) }),
  defaults: z.object({ hidden_types: z.array(z.enum(entityTypes)), hidden_kinds: z.array(z.string()) }),
  stats: z.object({
    nodes: z.number().int(),
    edges: z.number().int(),
    /** Null where it is not known without a walk through all. */
    total_nodes: z.number().int().nullable(),
    total_edges: z.number().int(),
    total_edges_is_floor: z.boolean(),
    hops_used: z.number().int(),
    truncated: z.boolean(),
    truncated_reason: z.enum(['', 'nodes', 'edges', 'nodes+edges']),
    job_edges: z.boolean(),
    /** Jobs that name too much to say anything of two things that they name. */
    job_fanout_suppressed: z.number().int(),
    /** The same of rule matches. */
    finding_fanout_suppressed: z.number().int(),
    job_id: z.number().int().nullable(),
    job_scoped: z.boolean(),
    kinds: z.object({ job: z.number().int(), finding: z.number().int(), typed: z.number().int() }),
  }),
  /** What of `q` cannot be used, as sentences. */
  notices: z.array(z.string()),
});
export type EntityGraph = z.output<typeof EntityGraph>;

/** Kinds of edges, or single relationship types, as a comma list; what is none of them is left out. */
const Followed = z
  .string()
  .max(400)
  .default('')
  .transform((text) => {
    const known = [...togetherKinds, 'typed', ...relationshipKinds] as const;
    const names = new Set(text.split(','));
    return known.filter((name) => names.has(name));
  });

const Asked = z.object({
  hops: wholeNumber(1, graphLimits.hops).default(1),
  include_allowlisted: Flag,
  job: ScopeJob,
  /** Also follows typed relationships; else what jobs name together alone. */
  via: z.enum(['', 'typed']).catch('').default(''),
  /** Follows nothing but these, in place of `via`. */
  only: Followed,
  /** Entities that are the same are one node, with the edges of all of them, by the lowest id. */
  fold_aliases: Flag,
});

const colors = z.record(z.string(), z.string());
const names = z.array(z.string());

export const entityGraphOperations = {
  getGraphSchema: {
    area: 'intel',
    method: 'GET',
    path: '/intel/graph-schema.json',
    summary: 'What the numbers in graphs mean',
    access: 'member',
    scope: 'intel:read',
    success: [200],
    output: z.object({
      v: z.literal(1),
      types: names,
      subtypes: names,
      attr_flags: names,
      flags: z.record(z.string(), z.number().int()),
      severities: names,
      tactics: names,
      rels: names,
      verdicts: names,
      edge_kinds: names,
      typed_base: z.number().int(),
      colors: z.object({ types: colors, kinds: colors, ui: colors, severities: colors, tactics: colors }),
      labels: z.object({ types: colors, rels: colors }),
    }),
    errors: [],
  },
  getEntityGraph: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/graph.json',
    summary: 'What surrounds an entity, and all that joins it, as a graph',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: Asked.extend({
      /** Neighbours of each node. */
      limit: wholeNumber(1, graphLimits.neighbours).default(30),
      q: z.string().max(2000).default(''),
      /** Whether edges that say no more than the same job are wanted. */
      job_edges: Flag.default(true),
    }),
    heavy: true,
    success: [200],
    output: EntityGraph,
    errors: ['not_found'],
  },
  exportEntityGraph: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/graph.graphml',
    summary: 'The same as GraphML, as a download; at most 500 nodes and 25,000 edges',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: Asked.extend({
      limit: wholeNumber(1, graphLimits.neighbours).default(100),
      /** Undirected edges as such beside directed ones; networkx and others open no file that has both. */
      mixed: Flag,
    }),
    heavy: true,
    success: [200],
    output: null,
    bytes: 'application/xml',
    errors: ['not_found'],
  },
  countGraphNeighbours: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/graph-neighbours.json',
    summary: 'How many neighbours of an entity there are to expand, by what joins them',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ job: ScopeJob, include_allowlisted: Flag }),
    success: [200],
    output: z.object({
      /** Each names what `only` follows. */
      groups: z.array(
        z.object({
          kind: z.enum([...togetherKinds, 'typed']),
          rel_type: RelationshipType.nullable(),
          neighbours: z.number().int(),
          /** There are this many at least. */
          is_floor: z.boolean(),
        }),
      ),
    }),
    errors: ['not_found'],
  },
  findGraphPath: {
    area: 'intel',
    method: 'GET',
    path: '/intel/graph/path.json',
    summary: 'The shortest ways from one entity to another, in whatever direction, at most 24',
    access: 'member',
    scope: 'intel:read',
    query: z.object({
      from: Id,
      to: Id,
      /** Most steps. */
      max: wholeNumber(1, graphLimits.pathSteps).default(graphLimits.pathSteps),
      /** `typed`, or with `finding` the weaker ways through rule matches, too. */
      kinds: z.enum(['typed', 'typed,finding']).default('typed'),
      include_allowlisted: Flag,
      job: ScopeJob,
    }),
    heavy: true,
    success: [200],
    output: z.object({
      /** Steps of each; null where none was found. */
      steps: z.number().int().nullable(),
      /** Entities in order. */
      paths: z.array(z.array(z.number().int())),
      /** There are more. */
      is_capped: z.boolean(),
      /** All that was in reach was looked at: where no way was found there is none within `max` steps. */
      is_complete: z.boolean(),
      nodes: z.array(EntityName),
      edges: z.array(
        z.object({
          source: z.number().int(),
          target: z.number().int(),
          kind: z.enum(['finding', 'typed']),
          rel_type: RelationshipType.nullable(),
          relationship_id: z.number().int().nullable(),
          weight: z.number().int(),
        }),
      ),
    }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
