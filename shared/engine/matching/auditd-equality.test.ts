import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogEvent } from '../events/log-event.ts';
import { readAuditd } from '../readers/auditd/read-auditd.ts';
import { packRules, unpackRules } from '../sigma/artifact.ts';
import { loadRules } from '../sigma/load-rules.ts';
import type { Rule } from '../sigma/rule.ts';
import { plainlyHolds } from '../testing/plain-evaluator.ts';
import { freshTables, sourceOf } from '../testing/read-all.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { Matcher } from './matcher.ts';

const records = [
  'type=SYSCALL arch=c000003e syscall=59 success=yes a0=5611 a1=4 ppid=10 pid=11 auid=1000 comm="sh" exe="/usr/bin/dash" key="rootcmd"',
  'type=SYSCALL arch=c000003e syscall=42 success=yes a0=3 exe=2F746D702F61 comm="a b" key=(null)\u001dARCH=x86_64 SYSCALL=connect AUID="root"',
  'type=EXECVE argc=3 a0="/bin/sh" a1="-c" a2=6563686F20E282AC',
  'type=EXECVE argc=2 a0="cat" a1="/etc/passwd"',
  'type=CWD cwd="/tmp"',
  'type=PATH item=0 name="./drop" inode=1 nametype=CREATE',
  'type=PATH item=1 name="/etc/passwd" inode=2 nametype=NORMAL',
  'type=SOCKADDR saddr=02000050C00002010000000000000000',
  'type=PROCTITLE proctitle=2F62696E2F7368002D63006563686F20E282AC',
  `type=USER_CMD pid=5 uid=0 auid=1000 msg='cwd="/root" cmd=636174202F746D702F78 terminal=pts/0 res=success'`,
  'type=ADD_USER pid=7 acct="mallory" exe="/usr/sbin/useradd" res=success',
  'type=1309 argc=1 a0="w"',
  'node=web1 type=TTY pid=8 comm="bash" data=6C730A',
];
const fields = [
  'type',
  'SYSCALL',
  'syscall',
  'a0',
  'A1',
  'a2',
  'exe',
  'comm',
  'key',
  'name',
  'nametype',
  'acct',
  'res',
];
const others = ['Image', 'CommandLine', 'TargetFilename', 'DestinationIp', 'AUID', 'node', 'cmd', 'cwd', 'proctitle'];
const texts = [
  'SYSCALL',
  'execve',
  'EXECVE',
  'Path',
  'tty',
  'add_user',
  '/bin/sh',
  '-c',
  '/tmp',
  'passwd',
  'sh',
  'root',
];
const more = ['connect', 'create', '192.0.2.1', 'success', 'echo', 'x86_64', 'ls', 'w', 'web1', '59', '4', '""'];

const modifier = fc.constantFrom('', '', '', '|contains', '|endswith', '|startswith', '|cased', '|re');
const condition = fc.constantFrom('one', 'one and two', 'one or two', 'one and not two', 'not one and two', 'not one');
const source = fc.constantFrom(
  '{product: linux, service: auditd}',
  '{product: linux, service: auditd}',
  '{product: linux}',
  '{product: linux, category: process_creation}',
  '{product: linux, category: file_event}',
  '{product: linux, category: network_connection}',
);

/** Rules that ask for some of these values. */
function ruleAbout(values: readonly string[]): fc.Arbitrary<string> {
  const value = fc.constantFrom(...values);
  const field = fc.constantFrom(...fields, ...others, 'type', 'type');
  const test = fc
    .tuple(field, modifier, fc.array(value, { minLength: 1, maxLength: 2 }))
    .map(([name, how, all]) => `"${name}${how}": [${all.map((one) => `'${one}'`).join(', ')}]`);
  const selection = fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(test, { minLength: 1, maxLength: 3, selector: keyOf }).map(braced) },
    { weight: 1, arbitrary: fc.array(value, { minLength: 1, maxLength: 2 }).map((all) => `['${all.join("', '")}']`) },
  );
  return fc
    .tuple(selection, selection, condition, source)
    .map(([one, two, how, from]) => ruleOf(`one: ${one}\ntwo: ${two}\ncondition: ${how}`, from));
}

const log = fc
  .array(fc.tuple(fc.constantFrom(...records), fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 12 })
  .map((all) => all.map(([record, serial]) => stamped(record, serial)).join('\n'));

function keyOf(one: string): string {
  return one.slice(0, one.indexOf(':'));
}

function braced(tests: readonly string[]): string {
  return `{${tests.join(', ')}}`;
}

function stamped(record: string, serial: number): string {
  return record.replace(/(type=\S+) /, `$1 msg=audit(1700000000.123:${serial}): `);
}

/** What `of` says of each event of a log. */
async function each(text: string, tables: ReturnType<typeof freshTables>, of: (event: LogEvent) => string) {
  const said: string[] = [];
  await readAuditd(sourceOf(new TextEncoder().encode(text)), tables, (event) => said.push(of(event)));
  return said;
}

async function matched(text: string, rules: readonly Rule[]): Promise<string[]> {
  const tables = freshTables();
  const matcher = new Matcher(rules, tables);
  return each(text, tables, (event) => {
    const numbers: number[] = [];
    matcher.match(event, (number) => numbers.push(number));
    return numbers.sort((a, b) => a - b).join(' ');
  });
}

/** Two records of an event tell `cwd`, each of which a keyword is looked for in. */
const keywordRule = ruleOf("one: ['root']\ncondition: one", '{product: linux, category: process_creation}');
const repeated = ['type=EXECVE argc=2 a0="cat"', 'type=USER_CMD', 'type=USER_CMD', 'type=1309']
  .map((start) =>
    stamped(
      records.find((record) => record.startsWith(start))!,
      2,
    ),
  )
  .join('\n');

it.each([
  ['any values', 12, [...texts, ...more]],
  // Of such rules, few or no word stands in most events, which are ruled out by that.
  ['telling values', 3, [...texts, ...more].filter((one) => one.length > 2 && !/^\d+$/.test(one))],
])('finds in audit records what the plain evaluator finds, for rules about %s at random', async (_, most, values) => {
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(ruleAbout(values), { minLength: 1, maxLength: most }), log, async (documents, text) => {
      const { rules } = loadRules([{ path: 'test.yml', text: documents.join('---\n') }]);
      const tables = freshTables();
      const plain = await each(text, tables, (event) =>
        rules.rules.flatMap((one, number) => (plainlyHolds(one, event, tables.fields) ? [number] : [])).join(' '),
      );
      matches += plain.filter((numbers) => numbers !== '').length;
      expect(await matched(text, rules.rules)).toEqual(plain);
      expect(await matched(text, unpackRules(packRules(rules)).rules)).toEqual(plain);
    }),
    { numRuns: 150, examples: [[[keywordRule], repeated]] },
  );
  expect(matches).toBeGreaterThan(50);
});
