import type { SimilarityDigests } from '@svc/application/ports/similarity-digests.ts';
import { tlshOf } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { Worker } from 'node:worker_threads';
import type { DigestReply } from './digest-messages.ts';
import { threadEntry } from './thread-entry.ts';

/** Less is done sooner than a thread is started. */
const worthThread = 8_388_608;

/** Digests of small files, a block at a time between whatever else is to do; each larger one in a thread of its own. */
export class ThreadDigests implements SimilarityDigests {
  async ofFile(path: string, signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const source = await fileSource(path);
    try {
      return await (source.size < worthThread ? tlshOf(source, signal) : inThread(path, signal));
    } finally {
      await source.close();
    }
  }
}

async function inThread(path: string, signal: AbortSignal): Promise<string | null> {
  const worker = new Worker(await threadEntry('digest-thread'), { workerData: path });
  let stop: (() => void) | undefined;
  try {
    const reply = await new Promise<DigestReply>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('The thread that makes a digest has ended')));
    });
    return reply.digest;
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
