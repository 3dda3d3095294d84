import { availableParallelism } from 'node:os';
import { analyze } from '../analyze.ts';
import type { AnalyzeOptions } from '../analyze-options.ts';
import type { Analysis } from '../findings.ts';
import { rulesOf, type RulesOfOptions } from '../external/told-rules.ts';
import { isGzip } from '../readers/compressed/gunzip.ts';
import { isZip } from '../readers/compressed/open-archive.ts';
import { usualLimits } from '../readers/compressed/reading-limits.ts';
import { exportOf, headOf, logTypeOf } from '../readers/detect-log-type.ts';
import { readerFor } from '../readers/readers.ts';
import { cutsFor } from '../readers/cuts.ts';
import type { ByteSource } from '../readers/reader.ts';
import { withUnread } from '../unread.ts';
import { analyzeInThreads, type Cut } from './analyze-in-threads.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { fileSource } from './file-source.ts';
import { OpenPartError } from './part-job.ts';
import { threadTime } from './thread-time.ts';

export interface AnalyzeFileOptions extends AnalyzeOptions {
  readonly signal?: AbortSignal;
  /** Threads that read a large file, beside this one; the result is the same. @default what `threadsFor` says */
  readonly threads?: number;
  /** Processor time of each thread, in seconds, after which no more is read. @default as long as it takes */
  readonly seconds?: number | undefined;
  /** Whether a file that is not cut up is read in another thread, so that several are at the same time. @default false */
  readonly aside?: boolean;
}

export type RulesOfFileOptions = RulesOfOptions & Pick<AnalyzeFileOptions, 'seconds'>;

const MEBIBYTE = 1024 * 1024;
/** No more than one thread takes part in less. */
const smallestInThreads = 8 * MEBIBYTE;
/**
 * From here on new threads pay. Each has code, plans and values to make first, and on few cores the compiler and
 * the collector of a single thread use the others already.
 */
const [worthThreads, worthThreadsOnFewCores] = [32 * MEBIBYTE, 512 * MEBIBYTE];
const fewCores = 3;
/** Bounds of the parts: none so large that others wait for the last one, none not worth the switch. */
const [smallestPart, largestPart] = [MEBIBYTE, 16 * MEBIBYTE];
const partsPerThread = 16;
/** Less does not pay for what a thread needs to warm up. */
const leastPerThread = 4 * MEBIBYTE;
/** How often the processor time is looked at. */
const lookMs = 50;
/** More samples of every finding than this do not fit into the memory of a thread. */
const mostSamplesInThreads = 100;

/** Threads, none of which runs yet, that are soonest done with logs of so many bytes in all. */
export function threadsFor(bytes: number, cores = availableParallelism()): number {
  return bytes < (cores > fewCores ? worthThreads : worthThreadsOnFewCores) ? 1 : cores;
}

/**
 * `analyze` for a file, with several threads where it is large and its kind of log can be read in parts
 * (detection-engine 4.3.6); a log that proves to be no such is read anew in one piece. Rejects as `analyze`
 * does, with the file system's error, and when a thread ends.
 */
export async function analyzeFile(path: string, given: AnalyzeFileOptions): Promise<Analysis> {
  const options = withTimeLimit(given);
  options.signal?.throwIfAborted();
  const source = await fileSource(path);
  const { threads = threadsFor(source.size) } = options;
  try {
    const cut = await cutUp(source, options, threads);
    if (cut === undefined) return await analyze(source, options);
    const taking = Math.min(threads, cut.cuts.length, Math.ceil(source.size / leastPerThread));
    const onProgress = rising(options.onProgress);
    try {
      return await withUnread(source, await analyzeInThreads(path, cut, { ...options, onProgress, threads: taking }));
    } catch (error) {
      if (!(error instanceof OpenPartError)) throw error;
      return await analyze(source, { ...options, onProgress });
    }
  } finally {
    await source.close();
  }
}

/** The rules that `analyzeFile` can find, as `rulesOf` says; looking for them has the same limit of time. */
export async function rulesOfFile(path: string, given: RulesOfFileOptions): Promise<RuleSet> {
  const source = await fileSource(path);
  try {
    return await rulesOf(source, withTimeLimit(given));
  } finally {
    await source.close();
  }
}

/** Makes this thread check its time, for when it reads the log itself. */
function withTimeLimit<T extends Pick<AnalyzeFileOptions, 'limits' | 'seconds'>>(options: T): T {
  const { seconds, limits = usualLimits } = options;
  if (seconds === undefined) return options;
  const spent = threadTime();
  let looked = performance.now();
  const isOver = (): boolean => {
    if (performance.now() - looked < lookMs) return false;
    looked = performance.now();
    return spent() > seconds;
  };
  return { ...options, limits: { ...limits, isOver } };
}

/** Keeps progress to itself until it is further than before. */
function rising(tell: AnalyzeOptions['onProgress']): (bytesDone: number) => void {
  let furthest = 0;
  return (bytesDone) => {
    if (bytesDone < furthest) return;
    furthest = bytesDone;
    tell?.(bytesDone);
  };
}

/** How other threads can read the log; undefined where this one is to read it all. */
async function cutUp(
  source: ByteSource,
  { logType: asked, maxSamples, aside = false }: AnalyzeFileOptions,
  threads: number,
): Promise<Cut | undefined> {
  if (maxSamples === 0 || maxSamples > mostSamplesInThreads) return undefined;
  const isLarge = threads > 1 && source.size >= smallestInThreads;
  if (!isLarge && !aside) return undefined;
  const head = await headOf(source);
  if (isGzip(head) || isZip(head) || exportOf(head) !== undefined) return undefined;
  const logType = await logTypeOf(source, asked);
  // The rules that its findings are of are known to this thread alone.
  if (logType === 'detection_results') return undefined;
  const size = Math.min(Math.max(Math.ceil(source.size / (threads * partsPerThread)), smallestPart), largestPart);
  const cuts = isLarge ? await cutsFor(logType)?.(source, size) : undefined;
  if (cuts !== undefined && cuts.length > 1) return { logType, size: source.size, cuts };
  return aside && readerFor(logType) !== undefined ? { logType, size: source.size, cuts: [0] } : undefined;
}
