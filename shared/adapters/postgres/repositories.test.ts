import { afterAll, beforeAll } from 'vitest';
import { accountRepositoryContract } from '../contract/account-repository.ts';
import { apiTokenRepositoryContract } from '../contract/api-token-repository.ts';
import { jobRepositoriesContract } from '../contract/job-repositories.ts';
import { workflowRepositoryContract } from '../contract/workflow-repository.ts';
import { emptyTables, openTestDatabase } from '../testing/test-database.ts';
import { openTestPorts, type TestPorts } from '../testing/test-ports.ts';
import type { EmbeddedDatabase } from './database.ts';
import { postgresPorts } from './ports.ts';

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
  return postgresPorts(database.orm, { leaseSeconds: 60 }).accounts;
});
apiTokenRepositoryContract(async () => {
  await emptyTables(database);
  return postgresPorts(database.orm, { leaseSeconds: 60 });
});
workflowRepositoryContract(async () => {
  await emptyTables(database);
  return postgresPorts(database.orm, { leaseSeconds: 60 }).workflows;
});
