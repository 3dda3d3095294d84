import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'svc-aws-drill-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers as the AWS CLI does, and notes what it was asked; `fails` is the command that it refuses. */
const cli = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(process.env.CALLS, JSON.stringify(args) + '\\n');
if (args.includes(process.env.FAILS)) { console.error('it is refused'); process.exit(254); }
const instance = { DBSubnetGroup: { DBSubnetGroupName: 'subnets' }, VpcSecurityGroups: [{ VpcSecurityGroupId: 'sg-1' }, { VpcSecurityGroupId: 'sg-2' }],
  DBParameterGroups: [{ DBParameterGroupName: 'params' }], LatestRestorableTime: '2026-03-01T09:30:00Z' };
if (args[1] === 'describe-db-instances') console.log(JSON.stringify({ DBInstances: [instance] }));
`;

function drill(fails: string) {
  const calls = join(folder, `calls-${fails}`);
  writeFileSync(join(folder, 'aws'), cli, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(projectRoot(), 'scripts/aws-restore-drill.mjs'), '--database', 'svc-db'],
    {
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, CALLS: calls, FAILS: fails },
      encoding: 'utf8',
    },
  );
  const asked = readFileSync(calls, 'utf8').trim().split('\n');
  return { status, stdout, stderr, asked: asked.map((line) => JSON.parse(line) as string[]) };
}
const names = ({ asked }: ReturnType<typeof drill>) =>
  asked.map((args) => args.slice(1, args[1] === 'wait' ? 3 : 2).join(' '));

it('restores beside the live database, within the same walls, and deletes only what it made', () => {
  const done = drill('nothing');
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(names(done)).toEqual([
    'describe-db-instances',
    'restore-db-instance-to-point-in-time',
    'wait db-instance-available',
    'delete-db-instance',
  ]);
  const [, restored, , deleted] = done.asked.map((args) => args.join(' '));
  expect(restored).toContain('--target-db-instance-identifier svc-db-drill --use-latest-restorable-time');
  expect(restored).toContain('--db-subnet-group-name subnets --vpc-security-group-ids sg-1 sg-2');
  expect(restored).toContain('--no-publicly-accessible');
  expect(deleted).toContain('--db-instance-identifier svc-db-drill --skip-final-snapshot');
  expect(done.stdout).toContain('The drill has succeeded.');
});

it.each([
  [
    'wait',
    [
      'describe-db-instances',
      'restore-db-instance-to-point-in-time',
      'wait db-instance-available',
      'delete-db-instance',
    ],
  ],
  ['restore-db-instance-to-point-in-time', ['describe-db-instances', 'restore-db-instance-to-point-in-time']],
])('says why it has failed at %s, and leaves nothing behind', (fails, calls) => {
  const done = drill(fails);
  expect([done.status, done.stderr]).toEqual([1, 'The drill has failed: it is refused\n\n']);
  expect(names(done)).toEqual(calls);
});
