import {
  addCaseEntities,
  addCaseEntity,
  addCaseJob,
  addCaseJobEntities,
  addCaseJobs,
} from '@svc/application/cases/add-to-case.ts';
import {
  addCaseCollaborator,
  changeCaseStatus,
  deleteCase,
  editCase,
  removeCaseCollaborator,
  writeCaseNarrative,
} from '@svc/application/cases/change-case.ts';
import {
  noteCaseEntity,
  noteCaseJob,
  removeCaseEntities,
  removeCaseEntity,
  removeCaseJob,
} from '@svc/application/cases/change-case-links.ts';
import { createCase } from '@svc/application/cases/create-case.ts';
import { findCases } from '@svc/application/cases/find-cases.ts';
import { exportCaseGraph } from '@svc/application/cases/export-case-graph.ts';
import { getCaseGraphActive } from '@svc/application/cases/get-case-graph-active.ts';
import { getCaseGraph } from '@svc/application/cases/get-case-graph.ts';
import { getCaseProcessTree } from '@svc/application/cases/get-case-process-tree.ts';
import { getCase } from '@svc/application/cases/get-case.ts';
import { getCasePivots, getCaseSummary } from '@svc/application/cases/get-case-overview.ts';
import {
  findCaseEntities,
  getCaseDetail,
  listCaseEntities,
  listCaseJobs,
  pickCaseEntities,
  pickCaseJobs,
} from '@svc/application/cases/list-case-links.ts';
import { listCaseNarratives } from '@svc/application/cases/list-case-narratives.ts';
import { listCases } from '@svc/application/cases/list-cases.ts';
import { openCase, quickCreateCase } from '@svc/application/cases/open-case.ts';
import { pickCaseMembers } from '@svc/application/cases/case-members.ts';
import { getCaseActors } from '@svc/application/cases/get-case-actors.ts';
import { getCaseEvents } from '@svc/application/cases/get-case-events.ts';
import { getCaseTimeline } from '@svc/application/cases/get-case-timeline.ts';
import { getClockHints } from '@svc/application/cases/get-clock-hints.ts';
import { listCaseFindings } from '@svc/application/cases/list-case-findings.ts';
import { setCaseClock } from '@svc/application/cases/set-case-clock.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type TableOf } from '../route.ts';

const table = {
  openCase,
  quickCreateCase,
  createCase: presented(createCase, ({ replayed }) => ({ status: replayed ? 200 : 201 })),
  findCases,
  exportCaseGraph: presented(exportCaseGraph, (bytes, { input: { id } }) => ({
    headers: { 'content-disposition': `attachment; filename="case-${id}-graph.graphml"` },
    bytes,
  })),

  getCaseGraph,
  getCaseGraphActive,
  getCaseProcessTree,
  listCases,
  getCase,
  editCase,
  changeCaseStatus,
  writeCaseNarrative,
  listCaseNarratives,
  deleteCase,
  pickCaseMembers,
  addCaseCollaborator,
  removeCaseCollaborator,
  addCaseEntity,
  addCaseEntities,
  addCaseJob,
  addCaseJobs,
  addCaseJobEntities,
  noteCaseEntity,
  noteCaseJob,
  removeCaseEntity,
  removeCaseEntities,
  removeCaseJob,
  listCaseEntities,
  listCaseJobs,
  pickCaseEntities,
  pickCaseJobs,
  getCaseDetail,
  findCaseEntities,
  getCaseSummary,
  getCasePivots,
  getCaseActors,
  getCaseEvents,
  getCaseTimeline,
  getClockHints,
  listCaseFindings,
  setCaseClock,
} satisfies TableOf<'cases'>;

export const handler = areaHandler(areaPorts.cases, table);
