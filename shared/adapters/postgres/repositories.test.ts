import { postgresPortsContract } from '../contract/postgres-ports.ts';
import { openTestDatabase } from '../testing/test-database.ts';

postgresPortsContract(openTestDatabase);
