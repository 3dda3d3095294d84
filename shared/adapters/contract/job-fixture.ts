import { beginTasks } from '@svc/application/analysis/begin-tasks.ts';
import {
  type NewSubmission,
  type SubmissionMarks,
  recordSubmission,
} from '@svc/application/submissions/record-submission.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { TaskOutcome } from '@svc/application/report/result-repository.ts';
import { isTerminal, type Actor, type JobStatus } from '@svc/domain';
import { beforeEach, expect } from 'vitest';
import { output } from '../testing/fake-engine.ts';

export type JobPorts = Pick<
  Ports,
  | 'accounts'
  | 'files'
  | 'findings'
  | 'jobLists'
  | 'jobs'
  | 'jobViews'
  | 'receipts'
  | 'results'
  | 'transaction'
  | 'workflows'
>;

/** When all happens that does not say so. */
export const at = new Date('2026-08-01T10:00:00.123Z');
export const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
let serial = 0;

export function account(userId: string, role: 'user' | 'member' | 'admin' = 'user'): Actor {
  return { kind: 'account', userId, email: `${userId}@example.org`, role, ip: '192.0.2.2' };
}

export function marks(over: Partial<SubmissionMarks> = {}): SubmissionMarks {
  return { receipt: null, upload: null, caseId: null, tags: [], by: null, at, ...over };
}

export function outcome(over: Partial<TaskOutcome> = {}): TaskOutcome {
  const { log: logOutput, raw: _raw, ...rest } = output();
  return {
    status: 'completed',
    durationMs: 7,
    errorMessage: null,
    logOutput,
    rawOutputs: [],
    eventPack: null,
    ...rest,
    ...over,
  };
}

/** What the contracts on jobs begin with; `make` gives empty repositories with workflows, before each test. */
export function jobFixture(make: () => Promise<JobPorts>) {
  let ports: JobPorts;
  let workflowId: number;

  beforeEach(async () => {
    ports = await make();
    workflowId = (await ports.workflows.list())[0]?.id ?? 0;
  });

  async function submit(
    over: { file?: object; job?: object; marks?: Partial<SubmissionMarks>; at?: Date } = {},
  ): ReturnType<typeof recordSubmission> {
    serial += 1;
    const unique = serial.toString(16).padStart(32, '0');
    const submission: NewSubmission = {
      file: {
        originalName: 'Security.evtx',
        storageKey: `${unique}.evtx`,
        sha256: unique + unique,
        sizeBytes: 5_000_000_000,
        detectedType: 'evtx',
        uploaderIp: '192.0.2.1',
        ...over.file,
      },
      job: {
        workflowId,
        submittedBy: null,
        submitterIp: '192.0.2.1',
        submittedName: 'Security.evtx',
        logType: 'evtx',
        isPrivate: false,
        ...over.job,
      },
      reuse: null,
      marks: marks({ at: over.at ?? at, ...over.marks }),
    };
    return recordSubmission(ports, submission);
  }

  async function inStatus(status: JobStatus): Promise<number> {
    const { job } = await submit();
    if (status !== 'pending') await ports.jobs.claim(job.id, 'claim', at);
    if (isTerminal(status)) await moveJob(ports, job.id, { from: 'running', to: status, at });
    return job.id;
  }

  /** Ends a job that waits with a report. */
  async function report(id: number): Promise<void> {
    await ports.jobs.claim(id, 'claim', at);
    await moveJob(ports, id, { from: 'running', to: 'completed', at });
  }

  async function running(claim = 'claim', over: Parameters<typeof submit>[0] = {}): Promise<number> {
    const { job } = await submit(over);
    expect(await ports.jobs.claim(job.id, claim, at)).toBe(true);
    return job.id;
  }

  async function begin(id: number, engines = ['sigma-native']): Promise<readonly number[]> {
    const tasks = engines.map((engine) => ({
      engine,
      status: 'pending' as const,
      errorMessage: null,
      bytesTotal: 100,
    }));
    const ids = await beginTasks(ports, { id, claim: 'claim' }, tasks, at);
    for (const task of ids ?? []) await ports.results.startTask(task, at);
    return ids ?? [];
  }

  async function userNamed(email: string): Promise<string> {
    return (await ports.accounts.create({ email, passwordHash: 'x', role: 'user', displayName: null })).id;
  }

  return { submit, inStatus, report, running, begin, userNamed };
}
