import { once } from 'node:events';
import { Agent, request, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { Workflow } from '@svc/contracts';
import { formAround, formType, send, systemLog } from './http-client.ts';

export const abuses = ['slow', 'bombs', 'guesses', 'readers'] as const;
export type AbuseKind = (typeof abuses)[number];

/** What is abused: the service that the bench has started on this machine. */
export interface Target {
  readonly url: string;
  /** A job whose findings are a large answer. */
  readonly job: number;
  /** How many accounts there are to guess the passwords of. */
  readonly people: number;
  /** How long it lasts at most. */
  readonly seconds: number;
  /** How many addresses it comes from. */
  readonly addresses: number;
}

const slowUploads = 4;
const bombs = 2;
const guessesPerSecond = 60;
const readers = 20;
/** What a bomb is when it is unpacked. */
const bombBytes = 1_500_000_000;

/** Does all of it at once until the time is over. */
export async function abuse(target: Target, kinds: readonly AbuseKind[]): Promise<void> {
  const until = performance.now() + target.seconds * 1000;
  const does = {
    slow: () => each(slowUploads, (number) => uploadSlowly(target, number, until)),
    bombs: () => each(bombs, (number) => sendBombs(target, number, until)),
    guesses: () => guess(target, until),
    readers: () => each(readers, (number) => read(target, number, until)),
  };
  await Promise.all(kinds.map((kind) => does[kind]()));
}

async function each(count: number, work: (number: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}

function addressOf({ addresses }: Target, number: number): Record<string, string> {
  return { 'x-forwarded-for': `198.51.100.${1 + (number % addresses)}` };
}

/** A form that says it is large and comes at a kilobyte a second; begun anew whenever it ends. */
async function uploadSlowly(target: Target, number: number, until: number): Promise<void> {
  const workflow = await workflowFor(target, 'syslog');
  const [head] = formAround({ workflow_id: workflow }, `slow-${number}.log`);
  const agent = new Agent({ keepAlive: false });
  const headers = { ...addressOf(target, number), 'content-type': formType, 'content-length': 200_000_000 };
  while (performance.now() < until) {
    const sending = request(`${target.url}/upload`, { agent, method: 'POST', headers });
    await Promise.race([trickle(sending, head, until), over(sending)]);
    sending.destroy();
    await sleep(100);
  }
}

async function trickle(sending: ClientRequest, head: Buffer, until: number): Promise<void> {
  sending.write(head);
  while (performance.now() < until && !sending.destroyed) {
    sending.write(systemLog(1100, 0));
    await sleep(1000);
  }
}

/** When it is answered or broken off. */
function over(sending: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    sending.on('error', () => resolve());
    sending.on('response', (response) => {
      response.resume().on('end', () => resolve());
    });
  });
}

/** Small files that are large when they are unpacked, one after another, each with other bytes. */
async function sendBombs(target: Target, number: number, until: number): Promise<void> {
  const workflow = await workflowFor(target, 'syslog');
  const bomb = await bombOf(number);
  for (let round = 0; performance.now() < until; round += 1) {
    // The time in its header is no part of what it unpacks to.
    bomb.writeUInt32LE(round, 4);
    const [head, tail] = formAround({ workflow_id: workflow }, `auth-${number}-${round}.log.gz`);
    const content = Buffer.concat([head, bomb, tail]);
    const headers = { ...addressOf(target, number), 'content-type': formType };
    while (performance.now() < until) {
      const answer = await send(`${target.url}/upload`, { method: 'POST', headers, content }).catch(() => null);
      if (answer?.status === 202) break;
      await sleep(1000);
    }
  }
}

async function bombOf(seed: number): Promise<Buffer> {
  const packed = createGzip({ level: 6 });
  const parts: Buffer[] = [];
  packed.on('data', (part: Buffer) => parts.push(part));
  const block = systemLog(4_000_000, seed);
  for (let left = bombBytes; left > 0; left -= block.length) {
    if (!packed.write(block)) await once(packed, 'drain');
  }
  packed.end();
  await once(packed, 'end');
  return Buffer.concat(parts);
}

/** Wrong passwords for the accounts in turn; whatever the answer, the next comes in its time. */
async function guess(target: Target, until: number): Promise<void> {
  for (let at = 0; performance.now() < until; at += 1) {
    const body = new URLSearchParams({ username: `person${at % target.people}@example.org`, password: `guess ${at}` });
    const headers = { ...addressOf(target, at), 'content-type': 'application/x-www-form-urlencoded' };
    const content = Buffer.from(body.toString());
    send(`${target.url}/auth/cookie/login`, { method: 'POST', headers, content }).catch(() => undefined);
    await sleep(1000 / guessesPerSecond);
  }
}

/** Reads the large answer again and again. */
async function read(target: Target, number: number, until: number): Promise<void> {
  const headers = { ...addressOf(target, number), accept: 'application/json' };
  while (performance.now() < until) {
    const answer = await send(`${target.url}/jobs/${target.job}/findings.json`, { headers }).catch(() => null);
    if (answer?.status !== 200) await sleep(200);
  }
}

async function workflowFor({ url }: Target, type: string): Promise<number> {
  const { workflows } = JSON.parse((await send(`${url}/api/v1/workflows`)).body) as { workflows: Workflow[] };
  const found = workflows.find(({ log_types: types }) => types.some((one) => one === type));
  if (!found) throw new Error(`no workflow for ${type}`);
  return found.id;
}
