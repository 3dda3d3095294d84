import { afterAll, beforeAll } from 'vitest';
import { accountRepositoryContract } from '../contract/account-repository.ts';
import { jobRepositoriesContract } from '../contract/job-repositories.ts';
import { workflowRepositoryContract } from '../contract/workflow-repository.ts';
import { emptyTables, openTestDatabase } from '../testing/test-database.ts';
import { openTestPorts, type TestPorts } from '../testing/test-ports.ts';
import { PgAccountRepository } from './account-repository.ts';
import type { EmbeddedDatabase } from './database.ts';
import { PgWorkflowRepository } from './workflow-repository.ts';

let database: EmbeddedDatabase;
let test: TestPorts;
beforeAll(async () => {
  database = await openTestDatabase();
  test = await openTestPorts();
}, 60_000);
afterAll(async () => {
  await database.close();
  await test.close();
});

jobRepositoriesContract(async () => {
  await test.reset();
  return test.ports;
});
accountRepositoryContract(async () => {
  await emptyTables(database);
  return new PgAccountRepository(database.orm);
});
workflowRepositoryContract(async () => {
  await emptyTables(database);
  return new PgWorkflowRepository(database.orm);
});
