// node scripts/aws-restore-drill.mjs --database NAME [--bucket NAME --secret ID --query]
// Restores the database of an installation on AWS to its newest moment, beside it, says how long that took, and
// deletes what it made, whatever happens. With --query, from a machine that reaches the database, it also counts in it
// and looks for objects that it names. It changes nothing of the installation. Needs the AWS CLI.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    bucket: { type: 'string' },
    secret: { type: 'string' },
    query: { type: 'boolean', default: false },
  },
});
const { database, bucket, secret, query } = values;
if (database === undefined || (query && (bucket === undefined || secret === undefined))) {
  process.stderr.write('Name the database: --database NAME; with --query also --bucket NAME and --secret ID\n');
  process.exit(1);
}
const drill = `${database}-drill`;
const objectsLookedFor = 100;
/** Certificates of those that vouch for databases of RDS (RDS User Guide, "Using SSL/TLS"). */
const authorities = 'https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem';
const begin = performance.now();
let isMade = false;
try {
  const [live] = (await rds('describe-db-instances', '--db-instance-identifier', database)).DBInstances;
  await rds(
    'restore-db-instance-to-point-in-time',
    '--source-db-instance-identifier',
    database,
    '--target-db-instance-identifier',
    drill,
    '--use-latest-restorable-time',
    '--db-subnet-group-name',
    live.DBSubnetGroup.DBSubnetGroupName,
    '--vpc-security-group-ids',
    ...live.VpcSecurityGroups.map(({ VpcSecurityGroupId: id }) => id),
    '--db-parameter-group-name',
    live.DBParameterGroups[0].DBParameterGroupName,
    '--no-publicly-accessible',
    '--no-deletion-protection',
    '--no-multi-az',
  );
  isMade = true;
  say(`${drill} is being restored, to ${live.LatestRestorableTime}.`);
  await rds('wait', 'db-instance-available', '--db-instance-identifier', drill);
  say(`It is there after ${Math.round((performance.now() - begin) / 60_000)} minutes.`);
  if (query) await lookInto((await rds('describe-db-instances', '--db-instance-identifier', drill)).DBInstances[0]);
  say('The drill has succeeded.');
} catch (error) {
  process.stderr.write(`The drill has failed: ${error.stderr || error.message}\n`);
  process.exitCode = 1;
} finally {
  if (isMade) {
    await rds(
      'delete-db-instance',
      '--db-instance-identifier',
      drill,
      '--skip-final-snapshot',
      '--delete-automated-backups',
    );
    say(`${drill} is being deleted.`);
  }
}

async function lookInto({ Endpoint: { Address: host, Port: port }, DBName: name }) {
  const { SecretString } = await aws('secretsmanager', 'get-secret-value', '--secret-id', secret);
  const { username: user, password } = JSON.parse(SecretString);
  const { Client } = (await import('pg')).default;
  const ca = await (await fetch(authorities)).text();
  const client = new Client({ host, port, user, password, database: name, ssl: { ca } });
  await client.connect();
  try {
    const { rows } = await client.query(
      'select (select count(*) from jobs) as jobs, (select max(created_at) from jobs) as newest, (select count(*) from uploaded_files) as files',
    );
    say(
      `It has ${rows[0].jobs} jobs, the newest of ${rows[0].newest?.toISOString() ?? 'no time'}, and ${rows[0].files} files.`,
    );
    const named = await client.query('select storage_key from uploaded_files order by random() limit $1', [
      objectsLookedFor,
    ]);
    for (const { storage_key: key } of named.rows) await aws('s3api', 'head-object', '--bucket', bucket, '--key', key);
    say(`${named.rows.length} files that it names, taken at random, are in ${bucket}.`);
  } finally {
    await client.end();
  }
}

function rds(...args) {
  return aws('rds', ...args);
}

async function aws(...args) {
  const { stdout } = await promisify(execFile)('aws', [...args, '--output', 'json'], { maxBuffer: 16_777_216 });
  return stdout.trim() === '' ? {} : JSON.parse(stdout);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
