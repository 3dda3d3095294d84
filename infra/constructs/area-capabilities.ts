import type { Area } from '@svc/contracts';
import { areaPorts } from '../../functions/area-ports.ts';

/**
 * What a function may do beyond running. Of objects: `objects` is everything with uploads, `outputs` with what engines put
 * out, `packs` with rule packs, `answers` to leave one that is too large for Lambda, `listing` to see which there are,
 * `bucket-health` to find out whether they could be written. Of queues: `queue` is to queue tasks, `ledger` to take one back
 * or give it up, `queue-list` to see what waits, `depths` how much of it, `launcher` to have workers started.
 */
export type Capability =
  | 'answers'
  | 'bucket-health'
  | 'cache'
  | 'database'
  | 'depths'
  | 'keys'
  | 'launcher'
  | 'ledger'
  | 'listing'
  | 'objects'
  | 'outputs'
  | 'packs'
  | 'queue'
  | 'queue-list';

/** What the adapters of each port do on AWS; ports of workers alone are not listed. */
const capabilitiesOfPort: Readonly<Record<string, readonly Capability[]>> = {
  accounts: ['database'],
  aiProviders: ['database'],
  aiRuns: ['database'],
  alertRules: ['database'],
  apiTokens: ['database'],
  backgroundTasks: ['database'],
  batches: ['database'],
  caseFindings: ['database'],
  caseStory: ['database'],
  cases: ['database'],
  caseTimelines: ['database'],
  clock: [],
  comments: ['database'],
  database: ['database'],
  databaseUpkeep: ['database'],
  derivations: ['database'],
  deployment: [],
  droppedObjects: ['database', 'outputs'],
  engineRuns: ['database'],
  engines: ['database'],
  engineSettings: ['database'],
  enrichmentResults: ['database'],
  enrichmentRuns: ['database'],
  enrichmentServices: ['database'],
  entities: ['database'],
  entityAlerts: ['database'],
  jobAlerts: ['database'],
  figures: ['database'],
  files: ['database'],
  findings: ['database', 'outputs'],
  happeningBell: [],
  happenings: ['database'],
  intel: ['database'],
  jobs: ['database'],
  activityLog: ['database'],
  caseIndicators: ['database'],
  entityBlame: ['database'],
  toldEntities: ['database'],
  mispFeed: ['database'],
  feedPages: ['database'],
  entityAliases: ['database'],
  entityGraphs: ['database'],
  entityLinks: ['database'],
  entityLists: ['database'],
  relationshipEvidence: ['database'],
  seenBefore: ['database'],
  jobLists: ['database'],
  jobViews: ['database'],
  keyValue: ['cache'],
  knownNetworks: ['database'],
  launcher: ['launcher'],
  ledger: ['ledger'],
  log: [],
  machine: [],
  models: [],
  objectListing: ['listing'],
  objects: ['objects'],
  offlineLookups: [],
  outbound: [],
  passwords: [],
  periodicRuns: ['database'],
  queuedTasks: ['ledger', 'queue-list'],
  metrics: [],
  queueDepths: ['depths'],
  rateLimiter: ['cache'],
  rawOutputs: ['database', 'outputs'],
  receipts: ['database'],
  reportConfig: [],
  reviews: ['database'],
  ruleArtifacts: ['database', 'packs'],
  ruleCompiler: [],
  ruleLists: ['database'],
  rulePacks: ['database'],
  ruleTester: [],
  ruleTrials: ['database'],
  schedules: [],
  secretBox: ['keys'],
  sessions: ['keys'],
  sessionStore: ['database'],
  savedSearches: ['database'],
  settings: ['database'],
  shipped: [],
  shippedRules: ['database'],
  siteOverview: ['database'],
  suppressedFindings: ['database'],
  suppressions: ['database'],
  storageRecords: ['database'],
  tags: ['database'],
  tasks: ['queue'],
  transaction: ['database'],
  uploadAdmission: ['cache'],
  uploads: ['database'],
  uploadTargets: ['keys', 'objects'],
  watches: ['database'],
  watchEvents: ['database'],
  webhookAttempts: ['database'],
  webhookDeliveries: ['database'],
  webhookDeliveryLists: ['database'],
  workers: ['database'],
  workflows: ['database'],
  workflowStore: ['database'],
};

/**
 * Who is asking and how often: what the middleware of every area needs; and what it does with whatever happened, which may
 * be for a webhook.
 */
const everybody = ['answers', 'cache', 'database', 'keys', 'queue'] as const;

/** What an area does with a port, where that is less than the port can do. */
const lessOfPort: Readonly<Partial<Record<Area, Readonly<Record<string, readonly Capability[]>>>>> = {
  // Readiness looks whether the buckets are there, and the health report writes a probe: nothing else.
  admin: { objects: ['bucket-health'] },
  system: { objects: ['bucket-health'] },
};

/** What the function of an area may do: what its middleware and the ports of its operations need. */
export function capabilitiesOf(area: Area): readonly Capability[] {
  const ofPorts = areaPorts[area].flatMap((port) => lessOfPort[area]?.[port] ?? capabilitiesOfPort[port]!);
  return [...new Set<Capability>([...everybody, ...ofPorts])].sort();
}
