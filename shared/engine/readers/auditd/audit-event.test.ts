import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { freshTables, sourceOf } from '../../testing/read-all.ts';
import { readAuditd } from './read-auditd.ts';

const names = fc.constantFrom('cmd', 'hostname', 'name', 'exe', 'msg', 'data', 'a0', 'a0[1]', 'key', 'old');
const marks = fc.constantFrom('=', '=', '=', ' ', ' ', '"', "'", '{', '}', ',', ')', '\u001d', ':', '-');
const contents = fc.constantFrom('2F746D702F78', '2F', '41424', '414243', '4294967295', 'BEEF', 'x', 'root', '(null)');
const piece = fc.oneof(names, marks, contents);
const body = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
const type = fc.constantFrom('USER_CMD', 'TTY', 'EXECVE', 'CWD', 'SECCOMP', '1112');
const stamp = fc.constantFrom('msg=audit(1.2:3): ', 'msg=audit(1.2:3):', 'msg=audit(1.2:4): ');
const line = fc.tuple(type, stamp, body).map(([of, when, rest]) => `type=${of} ${when}${rest}`);

/** For each event, its values that are in none of the texts in which it says they all stand. */
async function elsewhere(log: string): Promise<string[][]> {
  const seen: string[][] = [];
  await readAuditd(sourceOf(new TextEncoder().encode(log)), freshTables(), (event) => {
    const { texts, values: table } = event;
    if (texts === undefined) return;
    const said: string[] = [];
    texts.some((id) => said.push(table.text(id)) < 0);
    const own = Object.entries(event.toRecord()).flatMap(([name, one]) => (name === 'type' ? [] : one));
    event.keywords((id) => own.push(table.text(id)) < 0);
    const isElsewhere = (one: unknown): boolean => !said.some((text) => text.includes(String(one)));
    seen.push(own.filter((one): one is string => typeof one === 'string' && one.length > 2 && isElsewhere(one)));
  });
  return seen;
}

it('an audit record has no value outside the texts in which it says they all stand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
      const values = await elsewhere(lines.join('\n'));
      expect(values.length).toBeGreaterThanOrEqual(lines.length);
      for (const one of values) expect(one).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['its line', 'type=USER_AUTH msg=audit(1.2:3): pid=1234567 hostname=172.16.0.1 cmd="616263" data=abcdef', []],
  [
    'its line and what is in hexadecimal there',
    'type=USER_CMD msg=audit(1.2:3): pid=1 cmd=616263 old=64',
    ['abc', 'd'],
  ],
  ['its line and the call in words', 'type=SECCOMP msg=audit(1.2:3): arch=c000003e syscall=59', ['execve', 'x86_64']],
])('the texts of an audit record are %s', async (_, log, more) => {
  await readAuditd(sourceOf(new TextEncoder().encode(log)), freshTables(), ({ texts, values: table }) => {
    const said: string[] = [];
    texts!.some((id) => said.push(table.text(id)) < 0);
    expect(said).toEqual([log, ...more]);
  });
  expect.assertions(1);
});

it('records of one event have the same texts, and those of the next one others', async () => {
  const turns: (number | undefined)[] = [];
  const log = ['CWD msg=audit(1.2:3): cwd="/"', 'PATH msg=audit(1.2:3): name="/x"', 'TTY msg=audit(1.2:4): data=61'];
  const bytes = new TextEncoder().encode(log.map((one) => `type=${one}`).join('\n'));
  await readAuditd(sourceOf(bytes), freshTables(), ({ texts }) => turns.push(texts?.turn));
  expect(turns).toEqual([1, 1, 2]);
});
