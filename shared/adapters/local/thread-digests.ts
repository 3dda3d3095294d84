import type { SimilarityDigests } from '@svc/application/ports/similarity-digests.ts';
import { tlshOf } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { AskedThread } from '../machine/asked-thread.ts';
import type { DigestThread } from './digest-thread.ts';

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

async function inThread(path: string, until: AbortSignal): Promise<string | null> {
  const thread = await AskedThread.start<DigestThread>('digest-thread', { until });
  try {
    return await thread.ask('digestOf', path);
  } finally {
    await thread.end();
  }
}
