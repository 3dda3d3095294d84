import {
  exportActivityCsv,
  exportActivityJson,
  listActivity,
  listActivityHeads,
} from '@svc/application/admin/activity/list-activity.ts';
import { pruneActivity } from '@svc/application/admin/activity/prune-activity.ts';
import {
  cancelBackgroundTask,
  recoverTask,
  requesting,
  runTaskAgain,
} from '@svc/application/admin/tasks/change-background-task.ts';
import { listTasks } from '@svc/application/admin/tasks/list-tasks.ts';
import { revokeQueuedTask } from '@svc/application/admin/tasks/revoke-queued-task.ts';
import { changeEngine, runEngineTask } from '@svc/application/admin/engines/change-engine.ts';
import { listEngines } from '@svc/application/admin/engines/list-engines.ts';
import {
  changeEnrichmentService,
  clearEnrichmentToken,
  createEnrichmentService,
  deleteEnrichmentService,
  listEnrichmentServices,
  toggleEnrichmentService,
} from '@svc/application/admin/enrichment/save-service.ts';
import { getDatabaseSizes, getStorage } from '@svc/application/admin/storage/get-storage.ts';
import { vacuumDatabase } from '@svc/application/admin/storage/request-storage-task.ts';
import { setOutputRetention } from '@svc/application/admin/storage/retention.ts';
import { deleteUser, setUserActive, setUserPassword, setUserRole } from '@svc/application/admin/change-user.ts';
import { getDashboard } from '@svc/application/admin/readiness/get-dashboard.ts';
import {
  type ReadinessPorts,
  type SharedReadiness,
  sharedReadiness,
} from '@svc/application/admin/readiness/get-readiness.ts';
import { createUser } from '@svc/application/admin/create-user.ts';
import { listUsers } from '@svc/application/admin/list-users.ts';
import { changeSiteSettings } from '@svc/application/admin/change-site-settings.ts';
import { getSiteSettings } from '@svc/application/admin/get-site-settings.ts';
import { createApiToken } from '@svc/application/admin/create-api-token.ts';
import { listApiTokens } from '@svc/application/admin/list-api-tokens.ts';
import { revokeApiToken } from '@svc/application/admin/revoke-api-token.ts';
import { deleteWorkflow, duplicateWorkflow, resetWorkflow } from '@svc/application/admin/workflows/change-workflows.ts';
import { getWorkflow } from '@svc/application/admin/workflows/get-workflow.ts';
import { listAdminWorkflows } from '@svc/application/admin/workflows/list-admin-workflows.ts';
import { changeWorkflow, createWorkflow } from '@svc/application/admin/workflows/save-workflow.ts';
import { validateWorkflow } from '@svc/application/admin/workflows/validate-workflow.ts';
import { exportWorkflows, importWorkflows } from '@svc/application/admin/workflows/workflow-documents.ts';
import { limitWorker } from '@svc/application/admin/workers/limit-worker.ts';
import { listWorkers } from '@svc/application/admin/workers/list-workers.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { type PortsOf, presented, type RouteRequest, withoutActor, type TableOf } from '../route.ts';
import { sessionCookie } from '../session-cookie.ts';

/** What this process has found out, for all who ask it. */
let readiness: SharedReadiness | null = null;

const readinessOf = (ports: ReadinessPorts): SharedReadiness => (readiness ??= sharedReadiness(ports));

function seen({ client, headers, origin, peer }: RouteRequest) {
  return { client, peer, forwarded: headers['x-forwarded-for'] ?? null, origin };
}

const table = {
  backfillSimilarity: requesting('backfill_similarity'),
  backfillAnalytics: requesting('backfill_analytics'),
  cleanUpOutputs: requesting('cleanup_old_job_outputs'),
  backfillEntities: requesting('backfill_entities'),
  backfillBuiltinLabels: requesting('backfill_builtin_labels'),
  backfillEntityAttributes: requesting('backfill_entity_attributes'),
  backfillFindingEntityLinks: requesting('backfill_finding_entity_links'),
  backfillRelationships: requesting('backfill_relationships'),
  cancelBackgroundTask,
  changeEngine,
  changeEnrichmentService,
  changeSiteSettings: withoutActor(changeSiteSettings),
  changeWorkflow,
  clearEnrichmentToken,
  createApiToken,
  createEnrichmentService,
  createUser,
  createWorkflow,
  deleteEnrichmentService,
  deleteUser,
  deleteWorkflow,
  duplicateWorkflow,
  exportActivityCsv: presented(withoutActor(exportActivityCsv), (bytes) => ({
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="activity.csv"',
    },
    bytes,
  })),
  exportActivityJson: presented(withoutActor(exportActivityJson), () => ({
    headers: { 'content-disposition': 'attachment; filename="activity.json"' },
  })),
  getDashboard: (ports: PortsOf<typeof getDashboard> & ReadinessPorts, _actor, _input, request) =>
    getDashboard(ports, readinessOf(ports).current(seen(request))),
  getReadiness: presented(
    (ports: ReadinessPorts, _actor, _input, request) => readinessOf(ports).current(seen(request)),
    ({ verdict }) => ({ status: verdict === 'not_ready' ? 503 : 200 }),
  ),
  getDatabaseSizes: withoutActor(getDatabaseSizes),
  getSiteSettings,
  getStorage: withoutActor(getStorage),
  exportWorkflows: presented(exportWorkflows, (bytes) => ({
    headers: { 'content-disposition': 'attachment; filename="workflows.yaml"' },
    bytes,
  })),
  getWorkflow,
  importWorkflows,
  listAdminWorkflows: withoutActor(listAdminWorkflows),
  listActivity: withoutActor(listActivity),
  listActivityHeads: withoutActor(listActivityHeads),
  listApiTokens: async (ports: PortsOf<typeof listApiTokens>, _actor, _input, { headers }) => ({
    tokens: await listApiTokens(ports),
    // A proxy's basic authentication takes the header that tokens need, so whoever reads the list is told of it.
    behind_basic_auth: /^basic\b/i.test(headers['authorization'] ?? ''),
  }),
  listEngines: withoutActor(listEngines),
  listEnrichmentServices: withoutActor(listEnrichmentServices),
  listTasks,
  limitWorker: withoutActor(limitWorker),
  listUsers,
  listWorkers: withoutActor(listWorkers),
  pruneActivity: withoutActor(pruneActivity),
  recoverTask,
  resetWorkflow,
  revokeApiToken,
  revokeQueuedTask,
  runTaskAgain,
  runEngineTask,
  runReadiness: (ports: ReadinessPorts, _actor, _input, request) => readinessOf(ports).anew(seen(request)),
  purgeOrphans: requesting('purge_orphaned_storage'),
  runRetention: requesting('cleanup_old_job_outputs'),
  setOutputRetention: withoutActor(setOutputRetention),
  setUserActive,
  setUserPassword: presented(
    (ports: PortsOf<typeof setUserPassword>, actor, input, { headers }) =>
      setUserPassword(ports, actor, { ...input, userAgent: headers['user-agent'] }),
    ({ session }, { secureCookies: secure }) =>
      session === null ? {} : { cookies: [sessionCookie(session, { secure })] },
  ),
  setUserRole,
  toggleEnrichmentService,
  vacuumDatabase,
  validateWorkflow,
} satisfies TableOf<'admin'>;

export const handler = areaHandler(areaPorts.admin, table);
