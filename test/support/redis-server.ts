import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { ended, freePort, startProgram } from './programs.ts';

/** A Redis server of this test alone, in memory only. */
export interface RedisServer {
  readonly url: string;
  /** `SIGSTOP` makes it hang, `SIGCONT` go on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once; what it held is lost. */
  stop(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const path = process.env.REDIS_SERVER_PATH ?? '/usr/bin/redis-server';
  const port = await freePort();
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      child = await startProgram(path, args, { answers: () => pong(port) });
    },
    signal: (signal) => void child?.kill(signal),
    stop: async () => {
      if (child) await ended(child, 'SIGKILL');
    },
  };
  await server.start();
  return server;
}

function pong(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
