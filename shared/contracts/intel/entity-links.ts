import { relationshipKinds } from '@svc/domain';
import { z } from 'zod';
import {
  Flag,
  JobStatus,
  Milliseconds,
  OptionalId,
  Page,
  PathId,
  ScopeJob,
  Severity,
  Timestamp,
  wholeNumber,
} from '../fields.ts';
import type { Operation } from '../operation.ts';
import { MitreLayer, ProcessTree } from '../report/operations.ts';
import { EntityType } from './entity-list.ts';

export const EntityName = z.object({ id: z.number().int(), value: z.string(), entity_type: EntityType });
export type EntityName = z.output<typeof EntityName>;

export const RelationshipType = z.enum(relationshipKinds);

/** Where a part of a list is. */
export const ListPart = { page: z.number().int(), total: z.number().int(), total_pages: z.number().int() };

/** What one relationship type and direction leads to, the strongest first. */
export const RelationGroup = z.object({
  rel_type: RelationshipType,
  label: z.string(),
  direction: z.enum(['out', 'in']),
  count: z.number().int(),
  rows: z.array(
    z.object({
      relationship_id: z.number().int(),
      other: EntityName,
      /** Events of all jobs that show it. */
      occurrence_count: z.number().int(),
      last_seen_at: Timestamp,
    }),
  ),
});
export type RelationGroup = z.output<typeof RelationGroup>;

export const EntityFinding = z.object({
  id: z.number().int(),
  job_id: z.number().int(),
  rule_id: z.string().nullable(),
  rule_name: z.string(),
  severity: Severity,
  /** Matched events. */
  count: z.number().int(),
  /** Those of them that the instance has suppressed; with all of them the finding counts nowhere. */
  suppressed: z.number().int().min(0),
  tool: z.string(),
  has_details: z.boolean(),
});
export type EntityFinding = z.output<typeof EntityFinding>;

/** A finding with what its matched events name. */
const NamingFinding = EntityFinding.extend({
  /** What the most jobs name first, six at most. */
  entities: z.array(EntityName.extend({ job_count: z.number().int() })),
  /** How many it names beside these. */
  more: z.number().int(),
});

/** Also of all that it is the same as, each once. */
const FoldAliases = Flag;

/** What hangs on an entity; of jobs and findings, those that the caller sees. */
export const entityLinkOperations = {
  listEntityJobs: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/jobs',
    summary:
      'Jobs that name an entity, newest first, 50 a page; of the newest 500 those that saw it in a window of time',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({
      page: Page,
      per: wholeNumber(1, 200).default(50),
      from: Milliseconds.optional(),
      to: Milliseconds.optional(),
      fold_aliases: FoldAliases,
    }),
    success: [200],
    output: z.object({
      ...ListPart,
      jobs: z.array(
        z.object({
          id: z.number().int(),
          filename: z.string(),
          status: JobStatus,
          created_at: Timestamp,
          /** Events of the job that name it; with aliases, the one of them that most events name. */
          occurrence_count: z.number().int(),
        }),
      ),
    }),
    errors: ['not_found'],
  },
  listEntityFindings: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/findings',
    summary:
      'Findings whose matched events name an entity, newest job first, 50 a page; those that count, or those that are suppressed',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({
      page: Page,
      job: ScopeJob,
      fold_aliases: FoldAliases,
      /** Instead of those that count those of which the instance has suppressed all matches. */
      suppressed: Flag,
    }),
    success: [200],
    output: z.object({
      ...ListPart,
      findings: z.array(EntityFinding.extend({ filename: z.string() })),
      /** Findings that are suppressed as a whole, whichever were asked for. */
      total_suppressed: z.number().int(),
      notices: z.array(z.string()),
    }),
    errors: ['not_found'],
  },
  listJobFindings: {
    area: 'intel',
    method: 'GET',
    path: '/intel/jobs/{id}/findings',
    summary: 'Findings of a job that count, worst first, 50 a page, with what the matched events of each name',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({
      severity: Severity.optional(),
      /** Only those that name it. */
      entity_id: OptionalId,
      page: Page,
    }),
    success: [200],
    output: z.object({ ...ListPart, findings: z.array(NamingFinding) }),
    errors: ['not_found'],
  },
  countEntityLinks: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/counts',
    summary: 'How many jobs and findings that count name an entity, and how many relationships it has, exactly',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ job: ScopeJob, fold_aliases: FoldAliases }),
    success: [200],
    output: z.object({
      jobs: z.number().int(),
      findings: z.number().int(),
      /** Its own; with a job those whose other end this names, too. */
      relationships: z.number().int(),
    }),
    errors: ['not_found'],
  },
  listEntityRelationships: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/relationships',
    summary:
      'Typed relationships of an entity by type and direction, of some types, or that events show in a window of time',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({
      job: ScopeJob,
      /** Of these types alone. */
      kinds: z
        .string()
        .transform((list) => list.split(',').filter((one) => one !== ''))
        .pipe(z.array(RelationshipType))
        .optional(),
      /** Those that events of visible jobs show then. */
      from: Milliseconds.optional(),
      to: Milliseconds.optional(),
    }),
    success: [200],
    output: z.object({
      groups: z.array(RelationGroup),
      /** Types that there are, with how many the other filters leave of each. */
      kinds: z.array(z.object({ rel_type: RelationshipType, label: z.string(), count: z.number().int() })),
      total: z.number().int(),
      /** There are more than the 1,000 of a direction that are here. */
      capped: z.boolean(),
      notices: z.array(z.string()),
    }),
    errors: ['not_found'],
  },
  getEntityProcessTree: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/process-tree',
    summary: 'Processes of a job that are an entity or name it, with those that started them and that they started',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ job: ScopeJob }),
    heavy: true,
    success: [200],
    output: z.object({
      forest: ProcessTree.extend({
        stats: ProcessTree.shape.stats.extend({
          /** Processes that are it or name it. */
          matched: z.number().int(),
          entity_pruned: z.literal(true),
          /** Of the whole job. */
          source_processes: z.number().int(),
        }),
      }).nullable(),
      /** Why there is no forest. */
      reason: z.enum(['job_required', 'disabled']).nullable(),
      notices: z.array(z.string()),
    }),
    errors: ['not_found'],
  },
  getEntityMitre: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/mitre',
    summary: 'ATT&CK techniques of the findings that name an entity, the 20 of most events',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ job: ScopeJob }),
    success: [200],
    output: z.object({
      techniques: z.array(
        z.object({ technique: z.string(), title: z.string(), tactics: z.array(z.string()), count: z.number().int() }),
      ),
      technique_total: z.number().int(),
      /** Matched events of the findings that have a technique. */
      event_total: z.number().int(),
      notices: z.array(z.string()),
    }),
    errors: ['not_found'],
  },
  getEntityMitreLayer: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/mitre-layer',
    summary: 'All of these techniques as a layer for the ATT&CK Navigator, as a download',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ job: ScopeJob }),
    success: [200],
    output: MitreLayer,
    errors: ['not_found'],
  },
  getIntelMitreLayer: {
    area: 'intel',
    method: 'GET',
    path: '/intel/mitre-layer',
    summary: 'Techniques of the findings of all visible jobs that have ended, as a layer for the ATT&CK Navigator',
    access: 'member',
    scope: 'intel:read',
    success: [200],
    output: MitreLayer,
    errors: [],
  },
  listEntitiesTogether: {
    area: 'intel',
    method: 'GET',
    path: '/intel/entities/{id}/together',
    summary: 'What the newest 100 jobs that name an entity name most often beside it',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: z.object({
      items: z.array(EntityName.extend({ allowlisted: z.boolean(), shared_jobs: z.number().int() })),
    }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
