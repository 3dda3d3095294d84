import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { freshTables, sourceOf } from '../../testing/read-all.ts';
import { readAuditd } from './read-auditd.ts';

const names = fc.constantFrom('cmd', 'hostname', 'name', 'exe', 'msg', 'data', 'a0', 'a0[1]', 'key', 'old');
const marks = fc.constantFrom('=', '=', '=', ' ', ' ', '"', "'", '{', '}', ',', ')', '\u001d', ':', '-');
const values = fc.constantFrom('2F746D702F78', '2F', '41424', '414243', '4294967295', 'BEEF', 'x', 'root', '(null)');
const piece = fc.oneof(names, marks, values);
const body = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
const type = fc.constantFrom('USER_CMD', 'TTY', 'EXECVE', 'CWD', 'SECCOMP', '1112');
const stamp = fc.constantFrom('msg=audit(1.2:3): ', 'msg=audit(1.2:3):', 'msg=audit(1.2:4): ');
const line = fc.tuple(type, stamp, body).map(([of, when, rest]) => `type=${of} ${when}${rest}`);

/** Texts of an event that are not in what it says all of them stand in; null where it says nothing. */
async function notPlain(log: string): Promise<(string[] | null)[]> {
  const seen: (string[] | null)[] = [];
  await readAuditd(sourceOf(new TextEncoder().encode(log)), freshTables(), (event) => {
    const { plain } = event;
    const texts = Object.entries(event.toRecord()).flatMap(([name, value]) => (name === 'type' ? [] : value));
    event.keywords((id) => texts.push(event.values.text(id)) < 0);
    const all = plain && new TextDecoder().decode(plain.bytes.subarray(plain.start, plain.end));
    const isElsewhere = (text: unknown): boolean => typeof text === 'string' && text.length > 2 && !all!.includes(text);
    seen.push(all === undefined ? null : (texts.filter(isElsewhere) as string[]));
  });
  return seen;
}

it('an audit record has no text outside the bytes in which it says they all stand', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
      const events = await notPlain(lines.join('\n'));
      told += events.filter((texts) => texts !== null).length;
      for (const texts of events) expect(texts ?? []).toEqual([]);
    }),
    { numRuns: 1000 },
  );
  expect(told).toBeGreaterThan(100);
});

it.each([
  ['plain values', 'type=USER_AUTH msg=audit(1.2:3): pid=1234567 hostname=172.16.0.1 addr=1234567 cmd="616263"', true],
  ['a value in hexadecimal', 'type=USER_CMD msg=audit(1.2:3): pid=1 cmd=616263 res=1', false],
  ['values that it lends', 'type=CWD msg=audit(1.2:3): cwd="/tmp"', false],
  ['a call to be named', 'type=SECCOMP msg=audit(1.2:3): arch=c000003e syscall=59', false],
])('an audit record with %s', async (_, log, isPlain) => {
  const [texts] = await notPlain(log);
  expect(texts !== null).toBe(isPlain);
});
