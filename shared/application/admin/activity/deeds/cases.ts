import { many, namesOf, targets, type Tellers } from './teller.ts';

/** Of cases and what is in them. */
export const caseDeeds = {
  createCase: ({ output: { case_id: id } }) => ({
    action: 'intel.case.create',
    target: targets.case(id),
    summary: 'Created a case',
  }),
  openCase: ({ output: { case_id: id } }) => ({
    action: 'intel.case.create',
    target: targets.case(id),
    summary: 'Created a case',
  }),
  quickCreateCase: ({ output: { case_id: id } }) => ({
    action: 'intel.case.create',
    target: targets.case(id),
    summary: 'Created a case',
  }),
  editCase: ({ input }) => ({
    action: 'intel.case.edit',
    target: targets.case(input.id),
    summary: 'Changed a case',
    metadata: { fields: namesOf(input) },
  }),
  setCaseClock: ({ input: { id } }) => ({
    action: 'intel.case.edit',
    target: targets.case(id),
    summary: 'Set the clock of a log in a case',
  }),
  changeCaseStatus: ({ input: { id, status, is_shared: isShared } }) => ({
    action: 'intel.case.edit',
    target: targets.case(id),
    summary: 'Changed how a case stands, or who sees it',
    metadata: { status: status ?? null, is_shared: isShared ?? null },
  }),
  writeCaseNarrative: ({ input: { id } }) => ({
    action: 'intel.case.edit',
    target: targets.case(id),
    summary: 'Wrote the narrative of a case',
  }),
  deleteCase: ({ input: { id } }) => ({
    action: 'intel.case.delete',
    target: targets.case(id),
    summary: 'Deleted a case',
  }),
  addCaseCollaborator: ({ input: { id, account_id: account } }) => ({
    action: 'intel.case.share',
    target: targets.case(id),
    summary: 'Named somebody to work on a case',
    metadata: { account },
  }),
  removeCaseCollaborator: ({ input: { id, account_id: account } }) => ({
    action: 'intel.case.share',
    target: targets.case(id),
    summary: 'Took somebody off a case',
    metadata: { account },
  }),
  addCaseEntity: ({ input: { id }, output: { added } }) => ({
    action: 'intel.case.link',
    target: targets.case(id),
    summary: `Put ${many(added, 'entity', 'entities')} into a case`,
    metadata: { count: added },
  }),
  addCaseEntities: ({ input: { id }, output: { added } }) => ({
    action: 'intel.case.link',
    target: targets.case(id),
    summary: `Put ${many(added, 'entity', 'entities')} into a case`,
    metadata: { count: added },
  }),
  addCaseJob: ({ input: { id, job_id: job } }) => ({
    action: 'intel.case.link',
    target: targets.case(id),
    summary: 'Put a job into a case',
    metadata: { job },
  }),
  addCaseJobs: ({ input: { id, job_ids: jobs } }) => ({
    action: 'intel.case.link',
    target: targets.case(id),
    summary: `Put ${many(jobs.length, 'job')} into a case`,
    metadata: { count: jobs.length },
  }),
  addCaseJobEntities: ({ input: { id, job_id: job }, output: { added } }) => ({
    action: 'intel.case.link',
    target: targets.case(id),
    summary: `Put ${many(added, 'entity', 'entities')} of a job into a case`,
    metadata: { job, count: added },
  }),
  noteCaseEntity: null,
  noteCaseJob: null,
  removeCaseEntity: ({ input: { id, entity_id: entity } }) => ({
    action: 'intel.case.unlink',
    target: targets.case(id),
    summary: 'Took an entity out of a case',
    metadata: { entity },
  }),
  removeCaseEntities: ({ input: { id, entity_ids: entities } }) => ({
    action: 'intel.case.unlink',
    target: targets.case(id),
    summary: `Took ${many(entities.length, 'entity', 'entities')} out of a case`,
    metadata: { count: entities.length },
  }),
  removeCaseJob: ({ input: { id, job_id: job } }) => ({
    action: 'intel.case.unlink',
    target: targets.case(id),
    summary: 'Took a job out of a case',
    metadata: { job },
  }),
} satisfies Partial<Tellers>;
