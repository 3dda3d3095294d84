import { asPreferences } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { findingsQuery, homeQuery, jobQuery, jobsQuery } from '../api/queries.ts';
import { loginView } from '../features/auth/login-view.ts';
import { guideView } from '../features/system/guide/guide-view.ts';
import { alertRulesView } from '../features/alerts/alert-rules-view.ts';
import { activityView } from '../features/admin/activity-view.ts';
import { tasksView } from '../features/admin/tasks-view.ts';
import { casesView } from '../features/cases/cases-view.ts';
import { caseView } from '../features/cases/case-view.ts';
import { entitiesView } from '../features/intel/entities-view.ts';
import { entityView } from '../features/intel/entity-view.ts';
import { jobView } from '../features/report/job-view.ts';
import { batchView } from '../features/jobs/batch/batch-view.ts';
import { compareView } from '../features/jobs/compare/compare-view.ts';
import { jobsView, type JobsView } from '../features/jobs/jobs-view.ts';
import { editorView } from '../features/rules/editor/editor-view.ts';
import { rulesView } from '../features/rules/rules-view.ts';
import { suppressionsView } from '../features/rules/suppressions-view.ts';
import { tagsView } from '../features/tags/tags-view.ts';
import { paths } from '../paths.ts';
import { lazy } from '../ui/lazy.ts';
import { NotFound } from '../ui/not-found.tsx';
import { Frame } from './frame.tsx';
import { forAccounts, forAdmins, forMembers } from './gated.tsx';
import { SubmitPage } from './pages/submit-page.tsx';
import { RouteError } from './route-error.tsx';
import { triageView } from './triage/triage-view.ts';
import { readSearch, writeSearch } from './url-state.ts';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const submitRoute = createRoute({
  getParentRoute: () => root,
  path: paths.submit,
  loader: () => void queryClient.prefetchQuery(homeQuery),
  component: SubmitPage,
});

const jobsRoute = createRoute({
  getParentRoute: () => root,
  path: paths.jobs,
  validateSearch: jobsView,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => freshJobs(deps),
  component: lazy(async () => ({ default: (await import('./pages/jobs-page.tsx')).JobsPage })),
});

const watchingRoute = createRoute({
  getParentRoute: () => root,
  path: paths.watching,
  component: lazy(async () => ({ default: (await import('../features/discussions/watching-page.tsx')).WatchingPage })),
});

const jobRoute = createRoute({
  getParentRoute: () => root,
  path: paths.job,
  params: {
    parse: ({ jobId }) => ({ jobId: Number(jobId) }),
    stringify: ({ jobId }: { jobId: number }) => ({ jobId: String(jobId) }),
  },
  validateSearch: jobView,
  beforeLoad: ({ params: { jobId } }) => {
    if (!Number.isSafeInteger(jobId) || jobId < 1) throw notFound();
    // Here and no later: the scripts of the page would be asked for first, and a browser asks for few things at once.
    void prefetchReport(jobId);
  },
  component: lazy(async () => ({ default: (await import('./pages/job-page.tsx')).JobPage })),
});

const compareRoute = createRoute({
  getParentRoute: () => root,
  path: paths.compare,
  validateSearch: compareView,
  component: lazy(async () => ({ default: (await import('../features/jobs/compare/compare-page.tsx')).ComparePage })),
});

const batchRoute = createRoute({
  getParentRoute: () => root,
  path: paths.batch,
  params: {
    parse: ({ batchId }) => ({ batchId: Number(batchId) }),
    stringify: ({ batchId }) => ({ batchId: String(batchId) }),
  },
  validateSearch: batchView,
  beforeLoad: ({ params: { batchId } }) => {
    if (!Number.isSafeInteger(batchId) || batchId < 1) throw notFound();
  },
  component: lazy(async () => ({ default: (await import('../features/jobs/batch/batch-page.tsx')).BatchPage })),
});

/** Waits a moment for the newest list where an older one is known, or the page would open with a bar of new jobs. */
async function freshJobs(address: JobsView): Promise<void> {
  const { q = '', tags = [], page = 1, sort, order } = address;
  const query = jobsQuery(page, { q, tags, sort, order }, asPreferences(address));
  const known = queryClient.getQueryData(query.queryKey) !== undefined;
  const fetched = queryClient.prefetchQuery({ ...query, staleTime: 1000 });
  if (known) await Promise.race([fetched, new Promise((resolve) => setTimeout(resolve, 800))]);
}

/** Findings are written at the end of a job and never change: there is nothing to read of them before. */
async function prefetchReport(jobId: number): Promise<void> {
  await queryClient.prefetchQuery(jobQuery(jobId));
  const job = queryClient.getQueryData(jobQuery(jobId).queryKey);
  if (job && isTerminal(job.status)) await queryClient.prefetchQuery(findingsQuery(jobId));
}

const triageRoute = createRoute({
  getParentRoute: () => root,
  path: paths.triage,
  validateSearch: triageView,
  component: lazy(async () => ({ default: (await import('./triage/triage-page.tsx')).TriagePage })),
});

const guideRoute = createRoute({
  getParentRoute: () => root,
  path: paths.guide,
  validateSearch: guideView,
  component: lazy(async () => ({ default: (await import('../features/system/guide/guide-page.tsx')).GuidePage })),
});

const loginRoute = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: loginView,
  component: lazy(async () => ({ default: (await import('../features/auth/login-page.tsx')).LoginPage })),
});

const accountRoute = createRoute({
  getParentRoute: () => root,
  path: paths.account,
  component: forAccounts(async () => (await import('../features/auth/account/account-page.tsx')).AccountPage),
});

const dashboardRoute = createRoute({
  getParentRoute: () => root,
  path: paths.dashboard,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).DashboardPage),
});

const usersRoute = createRoute({
  getParentRoute: () => root,
  path: paths.users,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).UsersPage),
});

const apiTokensRoute = createRoute({
  getParentRoute: () => root,
  path: paths.apiTokens,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).ApiTokensPage),
});

const rulePacksRoute = createRoute({
  getParentRoute: () => root,
  path: paths.rulePacks,
  component: forAdmins(async () => (await import('../features/rules/packs/rule-packs-page.tsx')).RulePacksPage),
});

const aiProvidersRoute = createRoute({
  getParentRoute: () => root,
  path: paths.aiProviders,
  component: forAdmins(async () => (await import('../features/ai/providers-page.tsx')).AiProvidersPage),
});

const settingsRoute = createRoute({
  getParentRoute: () => root,
  path: paths.settings,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).SettingsPage),
});

const tasksRoute = createRoute({
  getParentRoute: () => root,
  path: paths.tasks,
  validateSearch: tasksView,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).TasksPage),
});

const enrichmentRoute = createRoute({
  getParentRoute: () => root,
  path: paths.enrichment,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).EnrichmentPage),
});

const storageRoute = createRoute({
  getParentRoute: () => root,
  path: paths.storage,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).StoragePage),
});

const workflowsRoute = createRoute({
  getParentRoute: () => root,
  path: paths.workflows,
  component: forAdmins(async () => (await import('../features/admin/workflows/workflows-page.tsx')).WorkflowsPage),
});

const workflowRoute = createRoute({
  getParentRoute: () => root,
  path: paths.workflow,
  component: forAdmins(async () => (await import('../features/admin/workflows/workflow-page.tsx')).WorkflowPage),
});

const workersRoute = createRoute({
  getParentRoute: () => root,
  path: paths.workers,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).WorkersPage),
});

const enginesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.engines,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).EnginesPage),
});

const activityRoute = createRoute({
  getParentRoute: () => root,
  path: paths.activity,
  validateSearch: activityView,
  component: forAdmins(async () => (await import('../features/admin/admin-pages.ts')).ActivityPage),
});

const packRulesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.packRules,
  validateSearch: rulesView,
  component: forAdmins(async () => (await import('../features/rules/rules-page.tsx')).RulesPage),
});

const entitiesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.entities,
  validateSearch: entitiesView,
  component: forMembers(async () => (await import('./pages/entities-page.tsx')).EntitiesPage),
});

/** Where programs read the list: people who type it mean the page. */
const entityListRoute = createRoute({
  getParentRoute: () => root,
  path: paths.entityList,
  validateSearch: entitiesView,
  beforeLoad: ({ search }) => {
    throw redirect({ to: paths.entities, search, replace: true });
  },
});

const entityRoute = createRoute({
  getParentRoute: () => root,
  path: paths.entity,
  params: {
    parse: ({ entityId }) => ({ entityId: Number(entityId) }),
    stringify: ({ entityId }: { entityId: number }) => ({ entityId: String(entityId) }),
  },
  validateSearch: entityView,
  beforeLoad: ({ params: { entityId } }) => {
    if (!Number.isSafeInteger(entityId) || entityId < 1) throw notFound();
  },
  component: forMembers(async () => (await import('./pages/entity-page.tsx')).EntityPage),
});

const casesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.cases,
  validateSearch: casesView,
  component: forMembers(async () => (await import('../features/cases/cases-page.tsx')).CasesPage),
});

const caseRoute = createRoute({
  getParentRoute: () => root,
  path: paths.case,
  params: {
    parse: ({ caseId }) => ({ caseId: Number(caseId) }),
    stringify: ({ caseId }: { caseId: number }) => ({ caseId: String(caseId) }),
  },
  validateSearch: caseView,
  beforeLoad: ({ params: { caseId } }) => {
    if (!Number.isSafeInteger(caseId) || caseId < 1) throw notFound();
  },
  component: forMembers(async () => (await import('./pages/case-page.tsx')).CasePage),
});

const tagsRoute = createRoute({
  getParentRoute: () => root,
  path: paths.tags,
  validateSearch: tagsView,
  component: forMembers(async () => (await import('../features/tags/tags-page.tsx')).TagsPage),
});

const alertRulesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.alertRules,
  validateSearch: alertRulesView,
  component: forMembers(async () => (await import('../features/alerts/alert-rules-page.tsx')).AlertRulesPage),
});

/** The editor is a state of the page of rules; this address is that of resolved-intel 10.3. */
const alertRuleRoute = createRoute({
  getParentRoute: () => root,
  path: paths.alertRule,
  beforeLoad: ({ params }) => {
    throw redirect({ to: paths.alertRules, search: alertRulesView(params), replace: true });
  },
});

const feedsRoute = createRoute({
  getParentRoute: () => root,
  path: paths.feeds,
  component: forMembers(async () => (await import('../features/feeds/feeds-page.tsx')).FeedsPage),
});

const rulesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.rules,
  component: forMembers(
    async () => (await import('../features/rules/running/packs-in-force-page.tsx')).PacksInForcePage,
  ),
});

const runningRulesRoute = createRoute({
  getParentRoute: () => root,
  path: paths.runningRules,
  validateSearch: rulesView,
  component: forMembers(
    async () => (await import('../features/rules/running/running-rules-page.tsx')).RunningRulesPage,
  ),
});

const suppressionsRoute = createRoute({
  getParentRoute: () => root,
  path: paths.suppressions,
  validateSearch: suppressionsView,
  component: forMembers(async () => (await import('../features/rules/suppressions-page.tsx')).SuppressionsPage),
});

const ruleEditorRoute = createRoute({
  getParentRoute: () => root,
  path: paths.ruleEditor,
  validateSearch: editorView,
  component: forAdmins(async () => (await import('../features/rules/editor/rule-editor-page.tsx')).RuleEditorPage),
});

export const router = createRouter({
  routeTree: root.addChildren([
    submitRoute,
    jobsRoute,
    watchingRoute,
    compareRoute,
    jobRoute,
    batchRoute,
    triageRoute,
    guideRoute,
    loginRoute,
    accountRoute,
    dashboardRoute,
    usersRoute,
    apiTokensRoute,
    rulePacksRoute,
    aiProvidersRoute,
    packRulesRoute,
    entitiesRoute,
    entityListRoute,
    entityRoute,
    casesRoute,
    caseRoute,
    tagsRoute,
    alertRulesRoute,
    alertRuleRoute,
    feedsRoute,
    rulesRoute,
    suppressionsRoute,
    runningRulesRoute,
    ruleEditorRoute,
    settingsRoute,
    tasksRoute,
    enrichmentRoute,
    storageRoute,
    workflowsRoute,
    workflowRoute,
    workersRoute,
    enginesRoute,
    activityRoute,
  ]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
