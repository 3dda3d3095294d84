import { type Severity, severities } from '@svc/domain';
import { type Analysis, rulesOf, UnsupportedLogError } from '@svc/engine';
import { type AnalyzeFileOptions, threadsFor } from '@svc/engine/node';
import { asFileError, FileError } from '../file-error.ts';
import type { Input } from '../inputs/find-inputs.ts';
import { isArchive, type Log, openInput } from '../inputs/open-input.ts';
import type { AnalyzedLog } from '../report.ts';
import { Meter } from './meter.ts';
import { Slots } from './slots.ts';

export interface AnalyzeInputsOptions extends Omit<AnalyzeFileOptions, 'signal' | 'onProgress' | 'now' | 'aside'> {
  readonly signal: AbortSignal;
  /** The least severe findings to keep. */
  readonly level: Severity;
  /** Whether to hash the logs. */
  readonly digest: boolean;
}

/** Told what becomes of each input, in their order. */
export interface AnalysisListener {
  analyzed(log: AnalyzedLog): Promise<void>;
  /** A file that was found, not named, and is no known log. */
  skipped(name: string): void;
  failed(error: FileError): void;
  /** Inputs and bytes of them done so far, and the log in hand. */
  progress(inputsDone: number, bytesDone: number, name: string): void;
}

/** What became of a log. */
type Outcome = { readonly analyzed: AnalyzedLog } | { readonly skipped: string } | { readonly failed: FileError };

/** From here on a file is read by all threads itself; starting them for less takes longer than they save. */
const largeBytes = 8 * 1024 * 1024;
/** Files begun before the one that is to be told of next is done, per thread. */
const ahead = 4;

/**
 * Analyses inputs: small files several at a time, large ones and archives one after another. What is wrong with one of
 * them is told and stops no other; rejects with the signal's reason.
 */
export async function analyzeInputs(
  inputs: readonly Input[],
  options: AnalyzeInputsOptions,
  listener: AnalysisListener,
): Promise<void> {
  const { signal } = options;
  const threads = options.threads ?? threadsFor(inputs.reduce((sum, { bytes }) => sum + bytes, 0));
  const meter = new Meter((...state) => listener.progress(...state));
  const slots = new Slots(threads);
  const going: Promise<Outcome>[] = [];
  const settle = async (most: number): Promise<void> => {
    while (going.length > most) await tell(await going.shift()!, listener);
  };
  const together = threads > 1 && totalOfSmall(inputs) >= largeBytes;
  for (const input of inputs) {
    signal.throwIfAborted();
    const progress = meter.of(input);
    if (together && input.bytes < largeBytes && !(await isArchive(input))) {
      const outcome = slots.run(() => analyzeSmall(input, options, progress.update)).finally(progress.end);
      // Seen when its turn comes.
      outcome.catch(() => {});
      going.push(outcome);
      await settle(ahead * threads);
    } else {
      await settle(0);
      for await (const outcome of analyzeInput(input, options, progress.update)) await tell(outcome, listener);
      progress.end();
    }
  }
  await settle(0);
}

function totalOfSmall(inputs: readonly Input[]): number {
  const small = inputs.filter(({ bytes }) => bytes < largeBytes);
  return small.length < 2 ? 0 : small.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function tell(outcome: Outcome, listener: AnalysisListener): Promise<void> {
  if ('analyzed' in outcome) await listener.analyzed(outcome.analyzed);
  else if ('failed' in outcome) listener.failed(outcome.failed);
  else listener.skipped(outcome.skipped);
}

/** A file that is no archive, in a thread of its own. */
async function analyzeSmall(
  input: Input,
  options: AnalyzeInputsOptions,
  update: (bytes: number, name: string) => void,
): Promise<Outcome> {
  options.signal.throwIfAborted();
  update(0, input.name);
  for await (const outcome of analyzeInput(input, { ...options, aside: true }, update)) return outcome;
  throw new Error(`${input.name} is an archive`);
}

async function* analyzeInput(
  input: Input,
  options: AnalyzeInputsOptions & { readonly aside?: boolean },
  update: (bytes: number, name: string) => void,
): AsyncGenerator<Outcome> {
  let opened: Awaited<ReturnType<typeof openInput>>;
  try {
    opened = await openInput(input);
  } catch (error) {
    yield { failed: fileErrorOf(input.name, error) };
    return;
  }
  try {
    let done = 0;
    let known = 0;
    for (const error of opened.refused) yield input.isNamed ? { failed: error } : { skipped: error.message };
    for (const log of opened.logs) {
      const share = log.bytesOfInput / Math.max(1, log.bytes);
      const onProgress = (bytes: number): void => update(done + Math.min(bytes, log.bytes) * share, log.name);
      const outcome = await outcomeOf(log, opened.isArchive || !input.isNamed, { ...options, onProgress });
      if ('analyzed' in outcome) known++;
      yield outcome;
      done += log.bytesOfInput;
    }
    if (known === 0 && opened.isArchive && input.isNamed && opened.refused.length === 0) {
      yield { failed: new FileError(`${input.name}: no known log is in it`) };
    }
  } finally {
    await opened.close();
  }
}

type LogOptions = AnalyzeInputsOptions & Pick<AnalyzeFileOptions, 'onProgress' | 'aside'>;

/** @param isFound rather than named, so that it may be no log. */
async function outcomeOf(log: Log, isFound: boolean, options: LogOptions): Promise<Outcome> {
  try {
    const analyzed = await analyzeLog(log, options);
    const { logType, unread } = analyzed.analysis;
    if (unread === undefined) return { analyzed };
    // A type that was asked for is not for every file of a folder.
    if (isFound && options.logType !== 'auto') return { skipped: log.name };
    if (log.bytes === 0) return { failed: new FileError(`${log.name}: it is empty`) };
    return { failed: new FileError(`${log.name}: nothing in it could be read as ${logType}: ${unread}`) };
  } catch (error) {
    if (isFound && error instanceof UnsupportedLogError) return { skipped: log.name };
    if (log.bytes === 0) return { failed: new FileError(`${log.name}: it is empty`) };
    return { failed: fileErrorOf(log.name, error) };
  }
}

async function analyzeLog(log: Log, { level, digest, ...options }: LogOptions): Promise<AnalyzedLog> {
  const started = performance.now();
  const rules = await rulesOf(log.source, options);
  const analysis = atLeast(level, await log.analyze({ ...options, rules }));
  const sha256 = digest ? await log.digest(options.signal) : null;
  const durationMs = Math.round(performance.now() - started);
  return { file: log.name, bytes: log.bytes, sha256, analysis, durationMs };
}

function atLeast(level: Severity, analysis: Analysis): Analysis {
  const least = severities.indexOf(level);
  return { ...analysis, findings: analysis.findings.filter(({ severity }) => severities.indexOf(severity) <= least) };
}

/** Throws what is not the fault of the file. */
function fileErrorOf(name: string, error: unknown): FileError {
  const failure = asFileError(name, error);
  if (failure instanceof FileError) return failure;
  throw failure;
}
