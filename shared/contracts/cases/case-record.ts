import { caseLimits, caseNameLength, caseStatuses, severities } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, OptionalId, PathId, Switch, Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** A text of a case, which says when it is too long. Null is taken as empty, since a case answers null for an empty one. */
export const caseText = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `at most ${most} characters`)
    .nullable()
    .transform((text) => text ?? '');
export const LinkNote = caseText(caseLimits.linkNote).default('');

/** Who works on a case, as members see each other. */
export const CaseMember = z.object({ id: z.string(), name: z.string() });
export type CaseMember = z.output<typeof CaseMember>;
const Collaborators = z.object({ collaborators: z.array(CaseMember) });

/** A case as its page opens it (resolved-intel 16.1). */
export const CaseDetails = z.object({
  id: Id,
  name: z.string(),
  summary: z.string().nullable(),
  status: z.enum(caseStatuses),
  severity: z.enum(severities).nullable(),
  is_shared: z.boolean(),
  /** Null when the account is gone. */
  owner: CaseMember.nullable(),
  /** Beside its owner. */
  collaborators: z.array(CaseMember),
  /** Markdown, as written. */
  narrative: z.string().nullable(),
  /** What `if_version` of a new narrative says. */
  narrative_version: z.number().int(),
  /** Whether the site shows what people write as Markdown. */
  markdown: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Timestamp.nullable(),
  entity_count: z.number().int(),
  /** Those that the viewer sees. */
  job_count: z.number().int(),
  comment_count: z.number().int(),
  can_edit: z.boolean(),
  /** Whether the viewer may share it, name who works on it, and delete it. */
  can_manage: z.boolean(),
  /** Whether the site shows what models say of cases. */
  shows_ai: z.boolean(),
});
export type CaseDetails = z.output<typeof CaseDetails>;

const Name = z.string().trim().min(1, 'must not be empty').max(caseNameLength, `at most ${caseNameLength} characters`);
/** Empty or null for none. */
const Severity = z.union([z.literal('').transform(() => null), z.null(), z.enum(severities)], {
  error: `must be one of ${severities.join(', ')}, or nothing`,
});

export const CreatedCase = z.object({ case_id: z.number().int(), case_url: z.string() });
export type CreatedCase = z.output<typeof CreatedCase>;

/** A narrative as it was saved, the newest among them. */
export const CaseNarrative = z.object({
  version: z.number().int(),
  body: z.string(),
  /** Null when the account is gone. */
  saved_by: z.string().nullable(),
  saved_at: Timestamp,
});
export type CaseNarrative = z.output<typeof CaseNarrative>;

export const caseRecordOperations = {
  openCase: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases',
    summary: 'Open a case',
    access: 'member',
    body: z.object({
      name: Name,
      summary: caseText(caseLimits.summary).default(''),
      severity: Severity.default(null),
      is_shared: Flag,
    }),
    success: [201],
    output: CreatedCase,
    errors: [],
  },
  quickCreateCase: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/quick-create',
    summary: 'Open a case with an entity, a job or both in it; the note goes to each link',
    access: 'member',
    body: z.object({
      name: Name,
      entity_id: OptionalId,
      job_id: OptionalId,
      include_job_entities: Flag,
      note: LinkNote,
    }),
    success: [201],
    output: CreatedCase,
    errors: ['not_found'],
  },
  getCase: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}',
    summary: 'A case: what is said of it, how much is in it, and what its viewer may do',
    access: 'member',
    params: PathId,
    success: [200],
    output: CaseDetails,
    errors: ['case_not_found'],
  },
  editCase: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/edit',
    summary: 'Change name, summary or severity of a case; what is left out stays',
    access: 'member',
    params: PathId,
    body: z.object({
      name: Name.optional(),
      summary: caseText(caseLimits.summary).optional(),
      severity: Severity.optional(),
    }),
    success: [200],
    output: CaseDetails,
    errors: ['case_not_found', 'forbidden'],
  },
  changeCaseStatus: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/status',
    summary: 'Close a case, open it again, or share it; what is left out stays',
    access: 'member',
    params: PathId,
    body: z.object({ status: z.enum(caseStatuses).optional(), is_shared: Switch.optional() }),
    success: [200],
    output: CaseDetails,
    errors: ['case_not_found', 'forbidden'],
  },
  writeCaseNarrative: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/notes',
    summary: 'Write the narrative of a case; nothing clears it',
    access: 'member',
    params: PathId,
    body: z.object({
      body: caseText(caseLimits.narrative),
      /** The version that this one is to take the place of; 0 where there was none. */
      if_version: wholeNumber(0, 2_147_483_647).optional(),
    }),
    success: [200],
    output: CaseDetails.pick({ narrative: true, narrative_version: true }),
    errors: ['case_not_found', 'forbidden', 'note_conflict'],
  },
  listCaseNarratives: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/notes',
    summary: `The narrative of a case and the ${caseLimits.narratives} before it, the newest first`,
    access: 'member',
    params: PathId,
    success: [200],
    output: z.object({ narratives: z.array(CaseNarrative) }),
    errors: ['case_not_found'],
  },
  deleteCase: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/delete',
    summary: 'Delete a case with its narrative, discussion and links; its jobs and entities stay',
    access: 'member',
    params: PathId,
    success: [204],
    output: null,
    errors: ['case_not_found', 'forbidden'],
  },
  pickCaseMembers: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/pickers/members.json',
    summary: 'Members who can be named on a case, by a part of their name; at most 20',
    access: 'member',
    query: z.object({ q: z.string().max(200).default('') }),
    success: [200],
    output: z.array(CaseMember),
    errors: [],
  },
  addCaseCollaborator: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/collaborators',
    summary: `Name a member who works on a case, at most ${caseLimits.collaborators}: they see it and change what its owner may, but who sees it and whether it stays`,
    access: 'member',
    params: PathId,
    body: z.object({ account_id: z.guid('must be the id of an account') }),
    success: [200],
    output: Collaborators,
    errors: ['case_not_found', 'forbidden', 'not_found', 'too_many'],
  },
  removeCaseCollaborator: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/collaborators/remove',
    summary: 'Take somebody off a case, which each may do with themselves',
    access: 'member',
    params: PathId,
    body: z.object({ account_id: z.guid('must be the id of an account') }),
    success: [200],
    output: Collaborators,
    errors: ['case_not_found', 'forbidden'],
  },
} as const satisfies Record<string, Operation>;
