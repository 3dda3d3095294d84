import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** What the address of a Unix socket may have on all systems. */
const longestAddress = 100;

/** Answers a line that another process of this machine has sent; what it rejects with is told. */
export type Answering = (line: string) => Promise<string>;

/**
 * Listens on a Unix socket of this path, for as long as the process lives; null where that cannot be. Who may open
 * the file may ask.
 */
export async function listenAt(path: string, answering: Answering | null = null): Promise<Server | null> {
  if (process.platform === 'win32') return null;
  const server = createServer((connection) => {
    connection.on('error', () => undefined);
    if (answering === null) connection.destroy();
    else answer(connection, answering).catch(() => connection.destroy());
  });
  try {
    await withAddress(path, async (address) => {
      server.listen(address);
      await once(server, 'listening');
    });
  } catch {
    return null;
  }
  // A connection that cannot be accepted has still found somebody.
  server.on('error', () => undefined);
  return server.unref();
}

async function answer(connection: Socket, answering: Answering): Promise<void> {
  // Whoever only knocks goes again without a word.
  for await (const line of createInterface({ input: connection })) {
    const answered = await answering(line).then(
      (text) => ({ text }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    connection.end(`${JSON.stringify(answered)}\n`);
    return;
  }
}

/** What the process that listens on a socket answers to a line; null when it answers nobody. */
export async function ask(path: string, line: string): Promise<string | null> {
  let told = '';
  await withAddress(path, async (address) => {
    const connection = connect(address);
    connection.write(`${line}\n`);
    for await (const chunk of connection) told += String(chunk);
  });
  if (told === '') return null;
  const answered = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]).parse(JSON.parse(told));
  if ('error' in answered) throw new Error(answered.error);
  return answered.text;
}

/**
 * Whether a process of this kernel listens on a socket, whatever its namespaces are: the kernel itself says so, even
 * of one that is stopped. `unclear` where there is no such socket, or none that may be asked.
 */
export async function knock(path: string): Promise<'answered' | 'refused' | 'unclear'> {
  try {
    await withAddress(path, async (address) => {
      const connection = connect(address);
      try {
        await once(connection, 'connect');
      } finally {
        connection.destroy();
      }
    });
    return 'answered';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Its queue of connections is full: somebody has it.
    if (code === 'EAGAIN') return 'answered';
    return code === 'ECONNREFUSED' ? 'refused' : 'unclear';
  }
}

/** Calls with a name of the path that fits into an address. */
async function withAddress(path: string, use: (address: string) => Promise<void>): Promise<void> {
  if (Buffer.byteLength(path) <= longestAddress) return use(path);
  const folder = await mkdtemp(join(tmpdir(), 'svc-'));
  try {
    const link = join(folder, 'd');
    await symlink(resolve(dirname(path)), link);
    const address = join(link, basename(path));
    if (Buffer.byteLength(address) > longestAddress) throw new Error('no short name can be made');
    await use(address);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
