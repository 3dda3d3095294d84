import type { Ports } from '@svc/application/ports/ports.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPorts } from '../postgres/ports.ts';
import { emptyTables, type TestDatabase } from '../testing/test-database.ts';
import { openTestPorts, type TestPorts } from '../testing/test-ports.ts';
import { accountRepositoryContract } from './account-repository.ts';
import { alertRulesContract } from './alert-rules.ts';
import { alertEvaluationContract } from './alert-evaluation.ts';
import { alertsContract } from './alerts.ts';
import { apiTokenRepositoryContract } from './api-token-repository.ts';
import { backgroundTaskRepositoryContract } from './background-task-repository.ts';
import { batchesContract } from './batches.ts';
import { caseAndTagRepositoriesContract } from './case-and-tag-repositories.ts';
import { caseListsContract } from './case-lists.ts';
import { caseRecordContract } from './case-record.ts';
import { caseGraphContract } from './case-graph.ts';
import { derivationRepositoryContract } from './derivation-repository.ts';
import { discussionsContract } from './discussions.ts';
import { enrichmentOfManyContract } from './enrichment-of-many.ts';
import { enrichmentContract } from './enrichment.ts';
import { engineSettingsContract } from './engine-settings.ts';
import { entityGraphContract } from './entity-graph.ts';
import { activityContract } from './activity.ts';
import { feedContract } from './feeds.ts';
import { entityPageContract } from './entity-page.ts';
import { entitySearchContract } from './entity-search.ts';
import { happeningsContract } from './happenings.ts';
import { heldSearchContract } from './held-search.ts';
import { intelAtOnceContract } from './intel-at-once.ts';
import { intelContract } from './intel.ts';
import { jobFindingsContract } from './job-findings.ts';
import { jobRemovalContract } from './job-removal.ts';
import { fileDigestsContract } from './file-digests.ts';
import { jobRepositoryContract } from './job-repository.ts';
import { jobSearchContract } from './job-search.ts';
import { jobViewsContract } from './job-views.ts';
import { resultRepositoryContract } from './result-repository.ts';
import { reviewRepositoryContract } from './reviews.ts';
import { suppressionsContract } from './suppressions.ts';
import { queuedTasksContract } from './queued-tasks.ts';
import { rulePackRepositoryContract } from './rule-pack-repository.ts';
import type { Runs } from './runs.ts';
import { severalProcessesContract } from './several-processes.ts';
import { sessionStoreContract } from './session-store.ts';
import { settingsStoreContract } from './settings-store.ts';
import { storageRecordsContract } from './storage-records.ts';
import { taxiiContract } from './taxii.ts';
import { taskQueueContract } from './task-queue.ts';
import { uploadRepositoryContract } from './upload-repository.ts';
import { workerRegistryContract } from './worker-registry.ts';
import { workflowRepositoryContract } from './workflow-repository.ts';

/**
 * The contracts of every port that a PostgreSQL serves, on the database that `open` gives; `openAgain` gives
 * the same one as another process has it, where others can.
 */
export function postgresPortsContract(
  open: () => Promise<TestDatabase>,
  openAgain: (() => Promise<TestDatabase>) | null = null,
): void {
  let database: TestDatabase;
  let again: TestDatabase | null = null;
  let test: TestPorts;
  beforeAll(async () => {
    database = await open();
    again = openAgain && (await openAgain());
    test = await openTestPorts({ database });
  });
  afterAll(async () => {
    await test?.close();
    await again?.close();
    await database?.close();
  });

  const emptied = async ({ leaseSeconds = 60 } = {}) => {
    await emptyTables(database);
    return postgresPorts(database, { leaseSeconds });
  };
  const allPorts = async (): Promise<Ports> => {
    await test.reset();
    return test.ports;
  };
  // The statements are the same wherever they run, and PostgreSQL reads them: inputs at random are for the server, and
  // for PGlite, where each takes much longer, some of them.
  const runs: Runs = (most) => (openAgain === null ? Math.ceil(most / 5) : most);
  jobRepositoryContract(allPorts);
  resultRepositoryContract(allPorts);
  reviewRepositoryContract(allPorts);
  suppressionsContract(allPorts);
  derivationRepositoryContract(allPorts);
  heldSearchContract(allPorts);
  enrichmentContract(allPorts);
  enrichmentOfManyContract(allPorts);
  entityGraphContract(allPorts);
  caseGraphContract(allPorts, () => database.orm);
  entityPageContract(allPorts);
  jobFindingsContract(allPorts);
  feedContract(allPorts);
  activityContract(async () => ({ ports: await allPorts(), db: database.orm }));
  taxiiContract(allPorts, { overlaps: openAgain !== null });
  entitySearchContract(allPorts, runs);
  alertRulesContract(allPorts, runs);
  fileDigestsContract(allPorts);
  jobViewsContract(allPorts);
  jobSearchContract(allPorts, runs);
  batchesContract(allPorts);
  caseAndTagRepositoriesContract(allPorts);
  caseRecordContract(allPorts);
  caseListsContract(allPorts);
  discussionsContract(allPorts);
  uploadRepositoryContract(allPorts);
  accountRepositoryContract(async () => (await emptied()).accounts);
  apiTokenRepositoryContract(emptied);
  sessionStoreContract(emptied);
  workflowRepositoryContract(async () => (await emptied()).workflows);
  rulePackRepositoryContract(emptied);
  settingsStoreContract(async () => [
    (await emptied()).settings,
    postgresPorts(again ?? database, { leaseSeconds: 60 }).settings,
  ]);
  engineSettingsContract(allPorts, () => postgresPorts(again ?? database, { leaseSeconds: 60 }));
  storageRecordsContract(async () => {
    await test.reset();
    return test;
  });
  workerRegistryContract(async () => [
    (await emptied()).workers,
    postgresPorts(again ?? database, { leaseSeconds: 60 }).workers,
  ]);
  taskQueueContract((leaseSeconds) => emptied({ leaseSeconds }));
  queuedTasksContract(() => emptied({ leaseSeconds: 1 }));
  const twoProcesses = async (): Promise<readonly [Ports, Ports]> => {
    await test.reset();
    const { objects } = test.ports;
    return [test.ports, { ...test.ports, ...postgresPorts(again ?? database, { leaseSeconds: 60, objects }) }];
  };
  severalProcessesContract(twoProcesses);
  jobRemovalContract(twoProcesses);
  intelContract(twoProcesses, () => database.orm);
  intelAtOnceContract(twoProcesses, () => database.orm, runs);
  alertsContract(allPorts, () => database.orm);
  alertEvaluationContract(twoProcesses, () => database.orm, runs);
  backgroundTaskRepositoryContract(twoProcesses);
  happeningsContract(twoProcesses, () =>
    database.orm.execute(sql`
      update happening_deliveries set due_at = statement_timestamp() where (consumer, happening_id) in (
        select consumer, happening_id from happening_deliveries
        where due_at > statement_timestamp() for update skip locked)`),
  );

  it('keeps no job for the sake of what refers to it', async () => {
    const { rows } = (await database.orm.execute(sql`
      select conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'jobs'::regclass and confdeltype not in ('c', 'n')`)) as { rows: unknown[] };
    expect(rows).toEqual([]);
  });
}
