import { parentPort } from 'node:worker_threads';
import type { Answers, Ask, Reply, ThreadFailure } from './asked-thread.ts';

/** Answers what this thread is asked (see `AskedThread`); several asks at the same time where answers wait. */
export function answerAsks(answers: Answers): void {
  const port = parentPort;
  if (!port) throw new Error('This program runs as a thread of another');
  const byName = new Map(Object.entries(answers));
  const reply = async ({ id, name, args }: Ask): Promise<Reply> => {
    try {
      // The asker's types hold the arguments against the answer of this name.
      return { id, value: await byName.get(name)?.(...(args as never[])) };
    } catch (error) {
      return { id, failure: toldOf(error) };
    }
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port.on('message', (ask: Ask) => void reply(ask).then((answer) => port.postMessage(answer)));
}

/** What passes between threads of an error. */
function toldOf(error: unknown): ThreadFailure['told'] {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), code: null, constraint: null };
  const { name, message, code = null, constraint = null } = error as Error & { code?: string; constraint?: string };
  return { name, message, code, constraint };
}
