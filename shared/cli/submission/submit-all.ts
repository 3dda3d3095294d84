import { compatibleWorkflows, type JobState, usualWorkflow, type Workflow } from '@svc/contracts';
import { type LogType, logTypeLabels } from '@svc/domain';
import { basename } from 'node:path';
import { Slots } from '../analysis/slots.ts';
import { FileError } from '../file-error.ts';
import type { Input } from '../inputs/find-inputs.ts';
import { ConnectionError, CredentialsError } from '../service/service-error.ts';
import type { Service } from '../service/service.ts';
import type { Board } from './board.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { JobWatch } from './job-watch.ts';
import type { Outcome } from './outcome.ts';
import { digestOf, readHead } from './read-file.ts';
import { refusalText } from './refusal-text.ts';
import type { Submission } from './send-file.ts';
import { submitFile } from './submit-file.ts';

/** Files on their way at a time (service 4.1, rule 1). */
const inFlight = 2;

/** Tells the kind of a log by its first 64 KiB. */
export type DetectLogType = (head: Uint8Array) => LogType;

export interface SubmitOptions {
  readonly detectLogType: DetectLogType;
  readonly workflows: readonly Workflow[];
  /** To use for all files; null for the one that fits each. */
  readonly workflow: Workflow | null;
  readonly logType: LogType | 'auto';
  readonly isPrivate: boolean;
  /** The case that the jobs belong to. */
  readonly caseId: number | null;
  readonly tags: readonly string[];
  readonly force: boolean;
  /** Whether to wait for the results. */
  readonly wait: boolean;
}

export interface SubmitReport {
  readonly board: Board;
  /** A file is through, in whatever order. */
  settled(outcome: Outcome): Promise<void>;
  say(text: string): void;
}

interface Run {
  readonly service: Service;
  readonly options: SubmitOptions;
  readonly report: SubmitReport;
  readonly signal: AbortSignal;
  readonly watch: JobWatch;
  /** Ends the run for a reason that all files share. */
  stop(reason: Error): void;
}

/** Outcomes in the order of the inputs, without files passed over, and what has ended the run before its end. */
export interface SubmittedFiles {
  readonly outcomes: readonly Outcome[];
  readonly stopped: Error | null;
}

/**
 * Submits files, two at a time, and waits for their results. What is wrong with one file stops no
 * other; what is wrong with the service or the token stops all.
 */
export async function submitAll(
  service: Service,
  inputs: readonly Input[],
  options: SubmitOptions,
  report: SubmitReport,
  interruption: AbortSignal,
): Promise<SubmittedFiles> {
  const ended = new AbortController();
  let stopped: Error | null = null;
  const signal = AbortSignal.any([interruption, ended.signal]);
  const run: Run = {
    service,
    options,
    report,
    signal,
    watch: new JobWatch(service, { signal }),
    stop: (reason) => {
      stopped ??= reason;
      ended.abort(reason);
    },
  };
  const places = new Slots(inFlight);
  const all = await Promise.all(inputs.map((input) => one(run, places, input)));
  return { outcomes: all.filter((outcome) => outcome !== null), stopped };
}

async function one(run: Run, places: Slots, input: Input): Promise<Outcome | null> {
  const outcome = await places.run(() => submitted(run, input));
  if (outcome === null) return null;
  const result = outcome.job_id === null || !run.options.wait ? outcome : await analysed(run, outcome);
  await run.report.settled(result);
  return result;
}

/** Null for a file that nobody named and no workflow takes. */
async function submitted(run: Run, input: Input): Promise<Outcome | null> {
  const { board } = run.report;
  const failed = (error: string): Outcome => ({ ...unsubmitted(input), error });
  let submission: Submission | null = null;
  try {
    run.signal.throwIfAborted();
    board.reading(input);
    const workflow = await workflowFor(run.options, input);
    submission = workflow && (await read(run, input, workflow));
    if (submission === null) {
      board.settled(input, false);
      return null;
    }
    let told = '';
    const job = await submitFile(run.service, submission, {
      signal: run.signal,
      sent: (bytes) => board.sending(input, bytes),
      waiting: (error, ms) => {
        board.waiting(input, ms / 1000);
        if (told !== error.message) run.report.say(`${input.name}: ${error.message}; trying again`);
        told = error.message;
      },
    });
    board.settled(input, run.options.wait);
    return {
      ...failed(''),
      ...known(submission),
      job_id: job.job_id,
      job_url: `${run.service.url}/jobs/${job.job_id}`,
      case_id: job.case_id,
      status: job.status,
      reused: job.wasKnown || job.reused,
      error: null,
    };
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof CredentialsError) run.stop(error);
    else if (!run.signal.aborted && !isOfFile(error)) throw error;
    board.settled(input, false);
    const reason = run.signal.aborted ? reasonOf(run.signal) : refusalText(error, input.name);
    return { ...failed(reason), ...(submission && known(submission)) };
  }
}

/** The workflow to use; null for a file that nobody named and none takes. Throws a `FileError`. */
async function workflowFor(options: SubmitOptions, input: Input): Promise<Workflow | null> {
  const type = options.logType === 'auto' ? options.detectLogType(await readHead(input)) : options.logType;
  const { workflow: asked } = options;
  const workflow = asked ? (compatibleWorkflows([asked], type)[0] ?? null) : usualWorkflow(options.workflows, type);
  // A workflow for everything takes what is no log too; of a folder only logs are meant.
  if (!input.isNamed && type === 'unknown' && options.logType === 'auto') return null;
  if (workflow !== null || !input.isNamed) return workflow;
  const what = type === 'unknown' ? 'it is no known log' : `it is of type ${type} (${logTypeLabels[type]})`;
  const who = asked === null ? 'no workflow takes it' : `“${asked.name}” does not take it`;
  throw new FileError(`${input.name}: ${what}, and ${who}; --type says what it is`);
}

async function read(run: Run, input: Input, { id: workflowId }: Workflow): Promise<Submission> {
  const { logType, isPrivate, caseId, tags, force } = run.options;
  const parts = {
    ...(await digestOf(input, run.signal)),
    fileName: basename(input.path),
    workflowId,
    logType,
    isPrivate,
    caseId,
    tags,
  };
  return { ...parts, input, force, key: idempotencyKey(parts, force) };
}

/** Waits for the end of the job; gives what is known when that cannot be seen. */
async function analysed(run: Run, outcome: Outcome & { job_id: number | null }): Promise<Outcome> {
  try {
    const state = await run.watch.end(outcome.job_id!);
    return state === null
      ? { ...outcome, status: 'failed', error: 'the job is not there any more; was it deleted?' }
      : withState(outcome, state);
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof CredentialsError) run.stop(error);
    else if (!run.signal.aborted) throw error;
    return { ...outcome, error: reasonOf(run.signal) };
  } finally {
    run.report.board.analysed();
  }
}

function withState(outcome: Outcome, state: JobState): Outcome {
  const { status, total_findings, severity_summary, error } = state;
  const again = outcome.reused && (status === 'failed' || status === 'cancelled');
  const hint = again ? `${error ?? `the earlier analysis was ${status}`}; --force analyses it again` : error;
  return { ...outcome, status, total_findings, severity_summary, error: hint };
}

function unsubmitted({ name, bytes }: Input): Outcome {
  return {
    file: name,
    sha256: null,
    size_bytes: bytes,
    job_id: null,
    job_url: null,
    case_id: null,
    status: 'not_submitted',
    reused: false,
    total_findings: null,
    severity_summary: null,
    error: null,
  };
}

function known({ sha256, bytes }: Submission): Pick<Outcome, 'sha256' | 'size_bytes'> {
  return { sha256, size_bytes: bytes };
}

function isOfFile(error: unknown): boolean {
  return error instanceof FileError || (error instanceof Error && error.name === 'RequestError');
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof ConnectionError || reason instanceof CredentialsError ? reason.message : 'interrupted';
}
