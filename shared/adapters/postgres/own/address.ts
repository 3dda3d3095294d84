import { readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Identity } from './programs.ts';

/** Where a server listens: the folder of a socket, or a port of this machine and a password. */
const ServerAddress = z.object({
  host: z.string(),
  port: z.number().int(),
  password: z.string().nullable(),
});
export type ServerAddress = z.output<typeof ServerAddress>;

/** Names the socket. */
const socketPort = 5432;
/** Shorter than any system's limit on paths of sockets (104 on macOS). */
const longestPath = 100;

const fileIn = (folder: string): string => join(folder, 'address.json');
const usualIn = (folder: string): ServerAddress => ({ host: join(folder, 'run'), port: socketPort, password: null });

/** URL of the server on a folder: where its owner has written that it listens, else where it would. */
export function urlIn(folder: string): string {
  return urlOf(readAddress(folder) ?? usualIn(folder));
}

export function urlOf({ host, port, password }: ServerAddress): string {
  const account = password === null ? 'svc' : `svc:${password}`;
  return `postgres://${account}@${encodeURIComponent(host)}:${port}/postgres`;
}

/**
 * Where the server on a folder is to listen, written down for the processes beside ours. What was written before
 * stays good where it can, since they know it.
 */
export async function settleAddress(
  folder: string,
  identity: Identity,
  hasSockets = process.platform !== 'win32',
): Promise<ServerAddress> {
  const before = readAddress(folder);
  const address = hasSockets ? await socketIn(folder, before, identity) : await loopback(before);
  await writeFile(fileIn(folder), JSON.stringify(address), { mode: 0o600 });
  return address;
}

export function readAddress(folder: string): ServerAddress | null {
  try {
    return ServerAddress.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    return null;
  }
}

async function socketIn(folder: string, before: ServerAddress | null, identity: Identity): Promise<ServerAddress> {
  const usual = usualIn(folder);
  const isShort = Buffer.byteLength(join(usual.host, `.s.PGSQL.${socketPort}`)) <= longestPath;
  if (!isShort && before?.password === null && isPrivate(before.host, identity)) return before;
  const host = isShort ? usual.host : await mkdtemp(join(tmpdir(), 'svc-'));
  await mkdir(host, { recursive: true });
  await chmod(host, 0o700);
  if (identity) await chown(host, identity.uid, identity.gid);
  return { ...usual, host };
}

/** Whether it is still there, and nobody else's. */
function isPrivate(path: string, identity: Identity): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  const owner = identity?.uid ?? process.getuid?.();
  return found?.isDirectory() === true && found.uid === owner && (found.mode & 0o077) === 0;
}

async function loopback(before: ServerAddress | null): Promise<ServerAddress> {
  const password = before?.password ?? randomBytes(24).toString('hex');
  const port = before === null ? null : await freePort(before.port);
  return { host: '127.0.0.1', port: port ?? (await freePort(0)) ?? socketPort, password };
}

/** The port if nobody listens there, and any free one for 0; else null. */
async function freePort(port: number): Promise<number | null> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return (probe.address() as AddressInfo).port;
  } catch {
    return null;
  } finally {
    probe.close();
  }
}
