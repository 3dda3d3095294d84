import type { AnalyzeOptions } from '../analyze-options.ts';
import type { Analysis } from '../findings.ts';
import { Correlator } from '../correlation/correlator.ts';
import { PartOrder } from '../correlation/part-order.ts';
import { joinParts, type PartialAnalysis } from '../part-analyzer.ts';
import { supplySamples } from '../read-samples.ts';
import { fileSource } from './file-source.ts';
import { timeLimitProblem } from '../readers/compressed/reading-limits.ts';
import { firstUntaken, newControl, type PartJob, StoppedError, stopAll } from './part-job.ts';
import { runInThread } from './part-threads.ts';
import { sharedRules } from './shared-rules.ts';

/** How a log is read in parts. */
export type Cut = Pick<PartJob, 'logType' | 'size' | 'cuts'>;

export interface ThreadOptions extends AnalyzeOptions {
  readonly signal?: AbortSignal;
  /** Processor time that each of them may take. @default as long as it takes */
  readonly seconds?: number | undefined;
  /** How many read; this one only joins, and so is free for other work. */
  readonly threads: number;
}

/** Analyses a file in parts, other threads reading them, and joins what was found. */
export async function analyzeInThreads(path: string, cut: Cut, options: ThreadOptions): Promise<Analysis> {
  const { rules, signal, threads } = options;
  const job = jobOf(path, cut, options);
  const correlator = new Correlator(rules, options);
  const ordered = new PartOrder(correlator.add);
  const done = new Progress(threads, options.onProgress);
  const stop = (): void => stopAll(job.control);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  try {
    const request = { job, rules: sharedRules(rules) };
    const running = Array.from({ length: threads }, (_, thread) => runInThread(request, done.of(thread), ordered.take));
    const partials = await endTogether(running, stop, signal);
    await supplyFrom(job, correlator, signal);
    const untaken = firstUntaken(job);
    return joinParts(
      rules,
      cut.logType,
      options,
      partials,
      correlator,
      untaken === undefined ? [] : [timeLimitProblem(untaken)],
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Reads again what the correlator wants samples of and no thread has kept. */
async function supplyFrom(job: PartJob, correlator: Correlator, signal: AbortSignal | undefined): Promise<void> {
  const { path, logType, cuts, size, read } = job;
  const source = await fileSource(path);
  try {
    await supplySamples(correlator, (part) => {
      const range = { from: cuts[part]!, to: cuts[part + 1] ?? size };
      return { source, logType, options: { ...read, range, ...(signal && { signal }) } };
    });
  } finally {
    await source.close();
  }
}

function jobOf(path: string, cut: Cut, options: ThreadOptions): PartJob {
  const {
    maxSamples,
    period,
    statistics,
    logSource,
    census,
    derive,
    raw,
    costs,
    now = Date.now(),
    recoverSlack,
    verifyChecksums,
    seconds = Number.POSITIVE_INFINITY,
  } = options;
  return {
    path,
    ...cut,
    match: {
      maxSamples,
      ...(period && { period }),
      ...(statistics !== undefined && { statistics }),
      ...(logSource !== undefined && { logSource }),
      ...(census && { census }),
      ...(derive && { derive: { ...derive, counted: new Int32Array(new SharedArrayBuffer(4)) } }),
      ...(raw && { raw }),
      ...(costs && { costs }),
    },
    read: {
      now,
      ...(recoverSlack !== undefined && { recoverSlack }),
      ...(verifyChecksums !== undefined && { verifyChecksums }),
    },
    seconds,
    control: newControl(),
  };
}

/** What all of them found; when one fails the others are stopped, and a cancellation waits for nobody. */
async function endTogether(
  running: readonly Promise<PartialAnalysis>[],
  stop: () => void,
  signal: AbortSignal | undefined,
): Promise<PartialAnalysis[]> {
  let failure: unknown;
  const settled = Promise.all(
    running.map(async (one) => {
      try {
        return await one;
      } catch (error) {
        stop();
        if (!(error instanceof StoppedError)) failure ??= error;
        throw failure ?? error;
      }
    }),
  );
  if (signal === undefined) return settled;
  let cancel!: () => void;
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([settled, cancelled]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Adds up how far the threads have come. */
class Progress {
  readonly #done: number[];
  readonly #tell: ((bytesDone: number) => void) | undefined;

  constructor(threads: number, tell: ((bytesDone: number) => void) | undefined) {
    this.#done = Array.from({ length: threads }, () => 0);
    this.#tell = tell;
  }

  of(thread: number): (bytesDone: number) => void {
    return (bytesDone) => {
      this.#done[thread] = bytesDone;
      this.#tell?.(this.#done.reduce((sum, one) => sum + one, 0));
    };
  }
}
