import { caseLimits, caseStatuses, entityTypes, severities } from '@svc/domain';
import { z } from 'zod';
import {
  Flag,
  Id,
  idList,
  JobStatus,
  LogType,
  Page,
  PathId,
  SeveritySummary,
  Switch,
  Tag,
  Timestamp,
  wholeNumber,
} from '../fields.ts';
import { EntityName, ListPart } from '../intel/entity-links.ts';
import { EntityType } from '../intel/entity-list.ts';
import type { Operation } from '../operation.ts';
import { caseText, LinkNote } from './case-record.ts';

/** That something is in a case. */
const Link = z.object({
  note: z.string().nullable(),
  added_at: Timestamp,
  /** Null when the account is gone, or where nobody did it. */
  added_by: z.string().nullable(),
  /** Whether the caller may change the note. */
  can_note: z.boolean(),
});

export const CaseEntity = EntityName.extend({
  /** Of all jobs, private ones included. */
  job_count: z.number().int(),
  /** Jobs of the case that name it, of those that the caller sees. */
  case_jobs: z.number().int(),
  allowlisted: z.boolean(),
  tags: z.array(Tag),
  ...Link.shape,
});
export type CaseEntity = z.output<typeof CaseEntity>;

export const CaseJob = z.object({
  id: z.number().int(),
  filename: z.string(),
  status: JobStatus,
  log_type: LogType,
  is_private: z.boolean(),
  created_at: Timestamp,
  score_ratio: z.string(),
  total_findings: z.number().int(),
  severity_summary: SeveritySummary,
  /** What it names and is in the case, too. */
  case_entities: z.number().int(),
  ...Link.shape,
});
export type CaseJob = z.output<typeof CaseJob>;

/** How much a request has put in: what was there before does not count. */
const Added = z.object({
  added: z.number().int(),
  entities_added: z.number().int(),
  /** Entities of these jobs that are not in the case. */
  entities_remaining: z.number().int(),
});
export const AddedToCase = Added;
export type AddedToCase = z.output<typeof Added>;

const Linked = z.object({ id: Id, entity_id: Id });
const LinkedJob = z.object({ id: Id, job_id: Id });
const Note = z.object({ note: caseText(caseLimits.linkNote) });
const Noted = z.object({ note: z.string().nullable() });

/** What is in a case (resolved-intel 16.3, 16.6). */
export const caseLinkOperations = {
  addCaseEntity: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/entities',
    summary: 'Put an entity into a case; if it is there, a note takes the place of the one before',
    access: 'member',
    params: PathId,
    body: z.object({ entity_id: Id, note: LinkNote }),
    success: [200],
    output: Added.pick({ added: true }),
    errors: ['case_not_found', 'not_found'],
  },
  addCaseEntities: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/entities/bulk',
    summary: `Put up to ${caseLimits.atOnce} entities into a case, or none when one of them is gone`,
    access: 'member',
    params: PathId,
    body: z.object({ entity_ids: idList('entities', caseLimits.atOnce), note: LinkNote }),
    success: [200],
    output: Added.pick({ added: true }),
    errors: ['case_not_found', 'not_found'],
  },
  addCaseJob: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/jobs',
    summary: `Put a job into a case, with the ${caseLimits.jobEntitiesAtOnce} entities that most of its events name if wanted`,
    access: 'member',
    params: PathId,
    body: z.object({ job_id: Id, include_entities: Flag, note: LinkNote }),
    success: [200],
    output: Added,
    errors: ['case_not_found', 'not_found'],
  },
  addCaseJobs: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/jobs/bulk',
    summary: `Put up to ${caseLimits.atOnce} jobs into a case, or none when one is not visible; with entities of each unless these are not wanted`,
    access: 'member',
    params: PathId,
    body: z.object({
      job_ids: idList('jobs', caseLimits.atOnce),
      include_entities: Switch.default(true),
      note: LinkNote,
    }),
    success: [200],
    output: Added,
    errors: ['case_not_found', 'not_found'],
  },
  addCaseJobEntities: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/jobs/{job_id}/add-entities',
    summary: `Put entities of a job of the case into it, the ${caseLimits.jobEntitiesAtOnce} next that most events name`,
    access: 'member',
    params: LinkedJob,
    success: [200],
    output: z.object({ added: z.number().int(), remaining: z.number().int() }),
    errors: ['case_not_found', 'not_found'],
  },
  noteCaseEntity: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/entities/{entity_id}/note',
    summary: 'Write why an entity is in a case; nothing clears it',
    access: 'member',
    params: Linked,
    body: Note,
    success: [200],
    output: Noted,
    errors: ['case_not_found', 'not_found', 'forbidden'],
  },
  noteCaseJob: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/jobs/{job_id}/note',
    summary: 'Write why a job is in a case; nothing clears it',
    access: 'member',
    params: LinkedJob,
    body: Note,
    success: [200],
    output: Noted,
    errors: ['case_not_found', 'not_found', 'forbidden'],
  },
  removeCaseEntity: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/entities/{entity_id}/remove',
    summary: 'Take an entity out of a case; one that is not in it changes nothing',
    access: 'member',
    params: Linked,
    success: [204],
    output: null,
    errors: ['case_not_found', 'forbidden'],
  },
  removeCaseEntities: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/entities/bulk-remove',
    summary: 'Take up to 500 entities out of a case',
    access: 'member',
    params: PathId,
    body: z.object({ entity_ids: idList('entities', caseLimits.jobEntitiesAtOnce) }),
    success: [204],
    output: null,
    errors: ['case_not_found', 'forbidden'],
  },
  removeCaseJob: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/jobs/{job_id}/remove',
    summary: 'Take a job out of a case; one that is not in it changes nothing',
    access: 'member',
    params: LinkedJob,
    success: [204],
    output: null,
    errors: ['case_not_found', 'forbidden'],
  },
  listCaseEntities: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/entities',
    summary: 'Entities of a case, 50 a page: the newest first, or those of the most of its jobs',
    access: 'member',
    params: PathId,
    query: z.object({
      page: Page,
      q: z.string().max(200).default(''),
      entity_type: z
        .union([z.literal('').transform(() => null), EntityType], { error: 'must be a type of entities, or empty' })
        .nullish(),
      sort: z.enum(['added', 'jobs']).default('added'),
    }),
    success: [200],
    output: z.object({
      ...ListPart,
      /** Without the filter. */
      grand_total: z.number().int(),
      entities: z.array(CaseEntity),
    }),
    errors: ['case_not_found'],
  },
  listCaseJobs: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/jobs',
    summary: 'Visible jobs of a case, the last added first, 50 a page',
    access: 'member',
    params: PathId,
    query: z.object({ page: Page }),
    success: [200],
    output: z.object({ ...ListPart, jobs: z.array(CaseJob) }),
    errors: ['case_not_found'],
  },
  pickCaseEntities: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/pickers/entities.json',
    summary: 'Up to 20 entities to put into a case, by a part of the value; those of the most jobs first',
    access: 'member',
    query: z.object({ q: z.string().max(200).default('') }),
    success: [200],
    output: z.array(EntityName.extend({ job_count: z.number().int() })),
    errors: [],
  },
  pickCaseJobs: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/pickers/jobs.json',
    summary: 'Up to 20 visible jobs to put into a case, by a part of the name or by number; newest first',
    access: 'member',
    query: z.object({ q: z.string().max(200).default('') }),
    success: [200],
    output: z.array(CaseJob.pick({ id: true, filename: true, created_at: true, status: true })),
    errors: [],
  },
  getCaseDetail: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/detail.json',
    summary: 'A case with what is in it, for scripts: up to 200 entities and 200 visible jobs',
    access: 'member',
    scope: 'case:read',
    params: PathId,
    limit: 'token',
    success: [200],
    output: z.object({
      id: z.number().int(),
      name: z.string(),
      summary: z.string().nullable(),
      narrative: z.string().nullable(),
      status: z.enum(caseStatuses),
      severity: z.enum(severities).nullable(),
      is_shared: z.boolean(),
      created_at: Timestamp,
      updated_at: Timestamp,
      closed_at: Timestamp.nullable(),
      entities: z.array(
        CaseEntity.pick({ id: true, value: true, entity_type: true, job_count: true, note: true, added_at: true }),
      ),
      entity_total: z.number().int(),
      jobs: z.array(
        CaseJob.pick({
          id: true,
          status: true,
          score_ratio: true,
          total_findings: true,
          filename: true,
          created_at: true,
          note: true,
          added_at: true,
        }),
      ),
      job_total: z.number().int(),
      /** Whether there is more than fits. */
      truncated: z.boolean(),
    }),
    errors: ['case_not_found'],
  },
  findCaseEntities: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/entities.json',
    summary:
      'Entities of a case by a part of the value, for scripts: 20 best matches, or as many as `limit` says after `cursor`',
    access: 'member',
    scope: 'case:read',
    params: PathId,
    query: z.object({
      /** Two characters at least, unless a job or a limit is given. */
      q: z.string().max(200).default(''),
      types: z
        .string()
        .max(200)
        .transform((list) => list.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])))
        .pipe(z.array(z.enum(entityTypes, `must be among ${entityTypes.join(', ')}`)))
        .default([]),
      /** What this job of the case names, most events first. */
      job: Id.optional(),
      limit: wholeNumber(1, 500).optional(),
      /** Number of the last entity of the answer before. */
      cursor: Id.optional(),
    }),
    limit: 'token',
    success: [200],
    output: z.array(EntityName),
    errors: ['case_not_found'],
  },
} as const satisfies Record<string, Operation>;
