import { AppError, type TaskStatus } from '@svc/domain';
import {
  EngineFailure,
  EngineUnavailable,
  NothingRead,
  type DetectionEngine,
  type EngineInput,
  type EngineOutput,
} from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import type { TaskOutcome } from '../report/result-repository.ts';
import { CancelRequested } from './cancel-watch.ts';
import { progressWriter } from './progress.ts';
import { removeEventPack, storeEventPack } from './store-event-pack.ts';
import { removeRawOutputs, storeRawOutputs } from './store-raw-outputs.ts';
import { waitForSpace } from './wait-for-space.ts';

type RunPorts = Pick<Ports, 'clock' | 'deployment' | 'droppedObjects' | 'log' | 'objects' | 'results'>;

/** Another worker has the job now, or it was ended meanwhile: nothing more is to be written. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

export interface TaskRun {
  readonly id: number;
  readonly engine: DetectionEngine;
  /** Or why there is none. */
  readonly input: EngineInput | EngineFailure;
  /** Seconds. */
  readonly timeout: number;
}

export interface TaskEnd {
  readonly status: TaskStatus;
  readonly error: string | null;
  /** Its findings are those of a part of the log. */
  readonly isCutShort?: boolean;
}

/**
 * Runs one task and commits its outcome. An engine's failure (a file of which nothing could be read included), its time
 * limit and a user's cancel are outcomes; the worker's own stop rejects with its reason and commits nothing.
 */
export async function runTask(ports: RunPorts, run: TaskRun, stop: AbortSignal): Promise<TaskEnd> {
  await ports.results.startTask(run.id, ports.clock.now());
  const startedAt = performance.now();
  const progress = progressWriter(ports, run.id);
  // What runs a program of others limits it, once there is a machine to run it.
  const limit = run.engine.isBuiltIn ? AbortSignal.timeout(run.timeout * 1000) : new AbortController().signal;
  let outcome: Ending;
  let isCutShort = false;
  try {
    const signal = AbortSignal.any([stop, limit]);
    signal.throwIfAborted();
    if (run.input instanceof EngineFailure) throw run.input;
    const found = await run.engine.run(run.input, { signal, onProgress: progress.report });
    isCutShort = found.isCutShort === true;
    await waitForSpace(ports, stop);
    outcome = completed(found, await storeRawOutputs(ports, found), await packOf(ports, found));
  } catch (error) {
    if (stop.aborted && !(stop.reason instanceof CancelRequested)) throw stop.reason;
    // A store that is out of reach is not the task's fault.
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    outcome = stop.aborted ? empty('cancelled', null, '') : failed(error, limit, run, ports);
  } finally {
    await progress.settled();
  }
  const logOutput = cutToBytes(outcome.logOutput, ports.deployment.maxLogOutputBytes);
  const durationMs = Math.round(performance.now() - startedAt);
  if (!(await ports.results.finishTask(run.id, { ...outcome, logOutput, durationMs }, ports.clock.now()))) {
    await removeRawOutputs(ports, outcome.rawOutputs);
    await removeEventPack(ports, outcome.eventPack);
    throw new TakenOver('the task is not running any more');
  }
  return { status: outcome.status, error: outcome.errorMessage, isCutShort };
}

type Ending = Omit<TaskOutcome, 'durationMs'>;

function completed(
  { log, raw: _raw, isCutShort: _cut, ...output }: EngineOutput,
  rawOutputs: Ending['rawOutputs'],
  eventPack: Ending['eventPack'],
): Ending {
  return { status: 'completed', errorMessage: null, logOutput: log, ...output, rawOutputs, eventPack };
}

/** The sample events as an object; null where it cannot be stored, and the database keeps them for a while. */
async function packOf(ports: RunPorts, { findings }: EngineOutput): Promise<Ending['eventPack']> {
  try {
    return await storeEventPack(
      ports,
      findings.map(({ events }) => events),
    );
  } catch (error) {
    ports.log.warn('the sample events stay in the database until they can be stored', { error });
    return null;
  }
}

function failed(error: unknown, limit: AbortSignal, run: TaskRun, ports: RunPorts): Ending {
  const log = error instanceof EngineFailure ? error.log : '';
  const isSkipped = error instanceof NothingRead || error instanceof EngineUnavailable;
  return empty(isSkipped ? 'skipped' : 'failed', reasonOf(error, limit, run, ports), log);
}

function empty(status: 'cancelled' | 'failed' | 'skipped', errorMessage: string | null, logOutput: string): Ending {
  const nothing = {
    findings: [],
    derived: null,
    rawOutputs: [],
    eventPack: null,
    events: null,
    warnings: [],
    ruleSet: null,
  };
  return { status, errorMessage, logOutput, ...nothing };
}

function reasonOf(error: unknown, limit: AbortSignal, run: TaskRun, { log }: RunPorts): string {
  if (limit.aborted) return `${run.engine.name} did not finish within its limit of ${run.timeout} s`;
  if (error instanceof EngineFailure) return error.message;
  log.error('engine failed unexpectedly', { engine: run.engine.name, task_id: run.id, error });
  return `${run.engine.name} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`;
}

/** Cuts text to a number of UTF-8 bytes, between characters. */
function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  return encoded.length <= bytes ? text : new TextDecoder().decode(encoded.subarray(0, bytes)).replace(/\uFFFD$/, '');
}
