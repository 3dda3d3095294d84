import { z } from 'zod';
import { Id, OptionalId, PathId, Severity } from '../fields.ts';
import { RelationGroup } from '../intel/entity-links.ts';
import type { Operation } from '../operation.ts';
import { processFacts, ProcessTree } from '../report/operations.ts';

/** Why it is not sure that two logs tell of one process. */
export const ProcessJoinDoubt = z.enum(['parent', 'time', 'clock', 'path', 'several']);
export type ProcessJoinDoubt = z.output<typeof ProcessJoinDoubt>;

const mergedFacts = z.object({
  ...processFacts,
  /** The jobs whose logs tell of it; none for an ancestor that only its children tell of. */
  jobs: z.array(z.number().int()),
  /** What speaks against that these tell of one process; nothing where that is sure. */
  doubts: z.array(ProcessJoinDoubt),
});
export type CaseProcess = z.output<typeof mergedFacts> & { children: CaseProcess[] };

/** A process that logs of a case tell of, and those that it started. */
export const CaseProcess: z.ZodType<CaseProcess> = z.lazy(() => mergedFacts.extend({ children: z.array(CaseProcess) }));

export const CaseForest = z.object({
  roots: z.array(CaseProcess),
  stats: ProcessTree.shape.stats.extend({
    /** Where it is pruned to an entity: processes that are it or name it, of how many. */
    matched: z.number().int().optional(),
    entity_pruned: z.literal(true).optional(),
    source_processes: z.number().int().optional(),
  }),
});
export type CaseForest = z.output<typeof CaseForest>;

export const CaseProcesses = z.object({
  /** Where processes ran, those with the most findings first. */
  hosts: z.array(
    z.object({
      /** Empty where logs do not say. */
      name: z.string(),
      processes: z.number().int(),
      /** Processes that several records tell of, and those of them of which it is not sure. */
      joined: z.number().int(),
      doubtful: z.number().int(),
      findings: z.number().int(),
      jobs: z.array(z.number().int()),
    }),
  ),
  /** The one whose processes these are; null where there is none. */
  host: z.string().nullable(),
  forest: CaseForest.nullable(),
  /** Why there is no forest. */
  reason: z.enum(['disabled']).nullable(),
  jobs: z.array(
    z.object({
      id: Id,
      filename: z.string(),
      /** Seconds that its clock was ahead, which are taken off. */
      clock_offset: z.number().int(),
    }),
  ),
  /** Jobs that were not looked at any more, since others tell of too many processes. */
  jobs_left_out: z.number().int(),
  findings: z.array(z.object({ id: Id, job_id: Id, rule_name: z.string(), severity: Severity })),
  /** The entity that was asked for is not named by the job, and was dropped. */
  anchor_dropped: z.boolean(),
  /** How the entity is related in the job, where both are given. */
  relationships: z.array(RelationGroup).nullable(),
  /** Seconds that the starts of one process may lie apart. */
  tolerance: z.number().int(),
  notices: z.array(z.string()),
});
export type CaseProcesses = z.output<typeof CaseProcesses>;

export const caseProcessOperations = {
  getCaseProcessTree: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/process-tree',
    summary: 'Processes of a host that all jobs of a case tell of, each once, under those that started them',
    access: 'member',
    params: PathId,
    query: z.object({
      /** Its name as `hosts` has it; left out for the first of them. */
      host: z.string().max(500).optional(),
      job: OptionalId,
      /** Processes that are an entity of the case or name it, with what started them and what they started. */
      entity_id: OptionalId,
    }),
    heavy: true,
    success: [200],
    output: CaseProcesses,
    errors: ['case_not_found', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
