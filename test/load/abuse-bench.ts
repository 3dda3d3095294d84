// What honest people notice while others abuse the service: sign-ins and a small upload, beside slow uploads, gzip
// bombs, guessed passwords and heavy readers, all at once.   [--seconds N] [--addresses N] [--only KIND]…
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SubmittedJob, Workflow } from '@svc/contracts';
import { writeManyMatches, writeManyRules } from '../support/many-rules.ts';
import { startServer, type Server } from '../support/server.ts';
import { abuse, abuses, type AbuseKind, type Target } from './abuse.ts';
import { formAround, formType, inParallel, quantile, send, systemLog } from './http-client.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    addresses: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    attack: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** What must hold: milliseconds of a sign-in at the 99th percentile, and seconds until an honest report. */
const [longestSignIn, longestReport] = [200, 5];
const password = 'an honest horse battery';
const people = 40;
const honestUploads = 3;
/** Seconds after which a report counts as not there. */
const patience = 60;
const terminal = new Set(['completed', 'partial', 'failed', 'cancelled']);
/** A report whose findings are an answer of some 5 MB. */
const [heavyRules, heavyEvents] = [2000, 20_000];

/** Of a person of this bench; each comes from an address of its own. */
const addressOf = (person: number): string => `203.0.113.${person + 1}`;
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

if (values.attack) {
  // The abuse has a process of its own, beside the one that measures.
  const target = JSON.parse(values.attack) as Target;
  await abuse(target, (values.only as AbuseKind[] | undefined) ?? abuses);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-abuse-'));
const [pack, log] = [join(folder, 'pack'), join(folder, 'log.json')];
let attack: ChildProcess | null = null;
try {
  await writeManyRules(pack, heavyRules);
  await writeManyMatches(log, heavyRules, heavyEvents);
  const admin = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: password };
  const env = {
    ...admin,
    TRUST_PROXY_HEADERS: 'true',
    RULE_PACKS: `bench=${pack}`,
    SECRET_KEY: 'a-key-of-this-benchmark-and-no-other',
    LOG_LEVEL: 'ERROR',
  };
  const server = await startServer({ env });
  try {
    await createPeople(server, admin.ADMIN_EMAIL);
    const heavy = await analysed(server, '203.0.113.200', 'heavy.json', await readFile(log));
    const bytes = (
      await send(`${server.url}/jobs/${heavy.id}/findings.json`, { headers: { accept: 'application/json' } })
    ).body.length;
    print(`a report whose findings take ${(bytes / 1e6).toFixed(1)} MB`);
    await measured(server, 'alone');
    const target: Target = {
      url: server.url,
      job: heavy.id,
      people,
      seconds: 600,
      addresses: Number(values.addresses),
    };
    const args = ['--attack', JSON.stringify(target), ...(values.only ?? []).flatMap((kind) => ['--only', kind])];
    attack = fork(fileURLToPath(import.meta.url), args);
    // Attackers bring their own processors; here they share those of the service, so they come second.
    if (attack.pid !== undefined) setPriority(attack.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    // Until its bombs are made, and everything is under way.
    await sleep(15_000);
    await measured(server, 'abused');
    attack.kill('SIGKILL');
    await once(attack, 'exit');
  } finally {
    await server.stop('SIGKILL');
    await server.remove();
  }
} finally {
  attack?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function measured(server: Server, when: string): Promise<void> {
  const times: number[] = [];
  const refused: number[] = [];
  const reports: number[] = [];
  const until = performance.now() + seconds * 1000;
  const signIns = async (): Promise<void> => {
    for (let at = 0; performance.now() < until; at += 1) {
      const answer = await signIn(server, `person${at % people}@example.org`, addressOf(at % people));
      if (answer.status < 300) times.push(answer.ms);
      else refused.push(answer.status);
      await sleep(Math.max(0, 200 - answer.ms));
    }
  };
  const uploads = async (): Promise<void> => {
    for (let at = 0; at < honestUploads; at += 1) {
      const { seconds: took } = await analysed(
        server,
        '203.0.113.250',
        `honest-${when}-${at}.log`,
        systemLog(1_000_000, at + (when === 'alone' ? 0 : 100)),
      );
      reports.push(took);
    }
  };
  await Promise.all([signIns(), uploads()]);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  const longest = Math.max(...reports);
  print(when);
  print(
    `  sign-ins          ${times.length}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (at most ${longestSignIn}) ${mark(p99 <= longestSignIn && refused.length === 0)}${refused.length > 0 ? `, refused: ${refused.join(' ')}` : ''}`,
  );
  print(
    `  1 MB to a report  ${reports.map((took) => `${took.toFixed(1)} s`).join(', ')} (at most ${longestReport}) ${mark(longest <= longestReport)}`,
  );
}

function mark(isKept: boolean): string {
  if (!isKept) process.exitCode = 1;
  return isKept ? '✓' : '✗';
}

function signIn({ url }: Server, email: string, address: string): ReturnType<typeof send> {
  return send(`${url}/auth/cookie/login`, {
    method: 'POST',
    headers: { ...from(address), 'content-type': 'application/x-www-form-urlencoded' },
    content: Buffer.from(new URLSearchParams({ username: email, password }).toString()),
  });
}

/** Accounts that have each signed in once from an address of their own. */
async function createPeople(server: Server, adminEmail: string): Promise<void> {
  const { cookie } = await signIn(server, adminEmail, '203.0.113.240');
  if (!cookie) throw new Error('the administrator could not sign in');
  await inParallel(people, 2, async (person) => {
    const email = `person${person}@example.org`;
    const answer = await send(`${server.url}/admin/users`, {
      method: 'POST',
      headers: { ...from('203.0.113.240'), cookie, origin: server.url, 'content-type': 'application/json' },
      content: Buffer.from(JSON.stringify({ email, password, role: 'user' })),
    });
    if (answer.status >= 300) throw new Error(`an account was refused: ${answer.status} ${answer.body}`);
    const first = await signIn(server, email, addressOf(person));
    if (first.status >= 300) throw new Error(`a first sign-in was refused: ${first.status} ${first.body}`);
  });
}

/** Submits a log as a visitor and waits for its report; tries again when it is told to, as the page does. */
async function analysed(
  { url }: Server,
  address: string,
  name: string,
  content: Uint8Array,
): Promise<{ readonly id: number; readonly seconds: number }> {
  const begun = performance.now();
  const took = (): number => (performance.now() - begun) / 1000;
  const { workflows } = JSON.parse((await send(`${url}/api/v1/workflows`)).body) as { workflows: Workflow[] };
  const type = name.endsWith('.json') ? 'json_evtx' : 'syslog';
  const workflow = workflows.find(({ log_types: types }) => types.includes(type as never)) ?? workflows[0]!;
  const [head, tail] = formAround({ workflow_id: workflow.id }, name);
  const form = Buffer.concat([head, content, tail]);
  const headers = { ...from(address), 'content-type': formType };
  while (took() < patience) {
    const answer = await send(`${url}/upload`, { method: 'POST', headers, content: form });
    if (answer.status === 429 || answer.status === 503) {
      await sleep(1000);
      continue;
    }
    if (answer.status !== 202) throw new Error(`the submission was answered ${answer.status}: ${answer.body}`);
    const id = (JSON.parse(answer.body) as SubmittedJob).job_id;
    while (took() < patience && !(await hasEnded(url, address, id))) await sleep(50);
    return { id, seconds: took() };
  }
  return { id: 0, seconds: took() };
}

async function hasEnded(url: string, address: string, id: number): Promise<boolean> {
  const answer = await send(`${url}/jobs/${id}/status`, { headers: { ...from(address), accept: 'application/json' } });
  return answer.status === 200 && terminal.has((JSON.parse(answer.body) as { status: string }).status);
}
