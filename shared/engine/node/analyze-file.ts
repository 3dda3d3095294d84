import { availableParallelism } from 'node:os';
import { analyze, type AnalyzeOptions, logTypeOf } from '../analyze.ts';
import type { Analysis } from '../findings.ts';
import { isGzip } from '../readers/compressed/gunzip.ts';
import { cutsFor } from '../readers/cuts.ts';
import type { ByteSource } from '../readers/reader.ts';
import { analyzeInThreads, type Cut } from './analyze-in-threads.ts';
import { fileSource } from './file-source.ts';

export interface AnalyzeFileOptions extends AnalyzeOptions {
  readonly signal?: AbortSignal;
  /** Threads that a large file is read with, this one included; the result is the same. @default one per core */
  readonly threads?: number;
}

const MEBIBYTE = 1024 * 1024;
/** Starting threads for less costs more than it saves. */
const smallestInThreads = 8 * MEBIBYTE;
/** Bounds of the parts: none so large that others wait for the last one, none not worth the switch. */
const [smallestPart, largestPart] = [MEBIBYTE, 16 * MEBIBYTE];
const partsPerThread = 16;

/**
 * `analyze` for a file, with several threads where it is large and its kind of log can be read in parts
 * (detection-engine 4.3.6). Rejects as `analyze` does, with the file system's error, and when a thread ends.
 */
export async function analyzeFile(path: string, options: AnalyzeFileOptions): Promise<Analysis> {
  options.signal?.throwIfAborted();
  const { threads = availableParallelism() } = options;
  const source = await fileSource(path);
  try {
    const cut = threads > 1 && source.size >= smallestInThreads ? await cutUp(source, options, threads) : undefined;
    return cut === undefined
      ? await analyze(source, options)
      : await analyzeInThreads(path, cut, { ...options, threads: Math.min(threads, cut.cuts.length) });
  } finally {
    await source.close();
  }
}

/** How the log can be read in parts; undefined where it cannot. */
async function cutUp(
  source: ByteSource,
  { logType: asked }: AnalyzeOptions,
  threads: number,
): Promise<Cut | undefined> {
  const head = new Uint8Array(3);
  await source.read(0, head);
  if (isGzip(head)) return undefined;
  const logType = await logTypeOf(source, asked);
  const size = Math.min(Math.max(source.size / (threads * partsPerThread), smallestPart), largestPart);
  const cuts = await cutsFor(logType)?.(source, size);
  return cuts === undefined || cuts.length < 2 ? undefined : { logType, size: source.size, cuts };
}
