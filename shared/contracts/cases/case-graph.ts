import { z } from 'zod';
import { Flag, Milliseconds, OptionalId, PathId } from '../fields.ts';
import { EntityGraph } from '../intel/entity-graph.ts';
import type { Operation } from '../operation.ts';

/** A job that is not one of the case's, or that the viewer does not see, gives the empty graph. */
const Asked = z.object({ include_allowlisted: Flag, job: OptionalId });

export const caseGraphOperations = {
  getCaseGraph: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/graph.json',
    summary: 'The entities of a case and all that joins them, as a graph',
    access: 'member',
    scope: 'case:read',
    params: PathId,
    query: Asked.extend({
      q: z.string().max(2000).default(''),
      /** Whether edges that say no more than the same job are wanted. */
      job_edges: Flag.default(true),
    }),
    heavy: true,
    success: [200],
    output: EntityGraph,
    errors: ['case_not_found'],
  },
  exportCaseGraph: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/graph.graphml',
    summary: 'The same as GraphML, as a download; at most 500 nodes and 25,000 edges',
    access: 'member',
    params: PathId,
    query: Asked.extend({
      /** Undirected edges as such beside directed ones; networkx and others open no file that has both. */
      mixed: Flag,
    }),
    heavy: true,
    success: [200],
    output: null,
    bytes: 'application/xml',
    errors: ['case_not_found'],
  },
  getCaseGraphActive: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/graph-active.json',
    summary: 'Entities of a case that are named by what fired in a window of time',
    access: 'member',
    params: PathId,
    query: z.object({
      /** Both ends are in it; left out for all that there is. */
      frm: Milliseconds.optional(),
      to: Milliseconds.optional(),
      job_id: OptionalId,
    }),
    heavy: true,
    success: [200],
    output: z.object({
      entity_ids: z.array(z.number().int()),
      /** Jobs that were looked at. */
      jobs: z.number().int(),
      /** Those of which it is not known when their rules fired. */
      jobs_without_index: z.number().int(),
      /** Those of which it is not known which finding fired when. */
      jobs_without_finding_ids: z.number().int(),
      /** Of none of them it is known. */
      index_missing: z.boolean(),
      /** When rules fired in these jobs, whatever the window; null where none did. */
      extent: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
    }),
    errors: ['case_not_found', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
