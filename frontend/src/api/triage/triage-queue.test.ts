import type { TriagePlan } from '@svc/contracts';
import { emptySummary } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import type { LocalReport, TriageRequest } from './messages.ts';
import { TriageFailure, type TriageWatch } from './run-triage.ts';
import { isFinal, TriageQueue } from './triage-queue.ts';

interface Run {
  readonly request: TriageRequest;
  readonly watch: TriageWatch;
  readonly resolve: (report: LocalReport) => void;
  readonly reject: (error: unknown) => void;
}

const plan = { tasks: [], elsewhere: [] } as unknown as TriagePlan;
const report = { totalFindings: 3 } as unknown as LocalReport;
const file = (key: number) => ({ key, file: new File(['x'], `${key}.evtx`), logType: 'evtx' as const, workflowId: 1 });
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function queueOf() {
  const runs: Run[] = [];
  const asked: (number | null | string)[] = [];
  const queue = new TriageQueue({
    detect: async () => 'syslog',
    plan: async (workflowId, logType) => {
      asked.push(workflowId, logType);
      return plan;
    },
    run: (request, watch) =>
      new Promise((resolve, reject) => {
        runs.push({ request, watch, resolve, reject });
        watch.signal.addEventListener('abort', () => reject(watch.signal.reason as Error));
      }),
  });
  return { queue, runs, asked, stages: () => queue.list().map(({ stage }) => stage.at) };
}

describe('a queue of analyses', () => {
  it('runs two at a time, in the order they came', async () => {
    const { queue, runs, stages } = queueOf();
    queue.add([file(1), file(2), file(3)]);
    await settled();
    expect(stages()).toEqual(['running', 'running', 'waiting']);
    runs[0]!.resolve(report);
    await settled();
    expect(stages()).toEqual(['done', 'running', 'running']);
    expect(runs.map(({ request }) => request.file.name)).toEqual(['1.evtx', '2.evtx', '3.evtx']);
  });

  it('finds out the type of a file that has none, and leaves the workflow to it', async () => {
    const { queue, runs, asked } = queueOf();
    queue.add([{ ...file(1), logType: null, workflowId: null }]);
    await settled();
    expect(asked).toEqual([null, 'syslog']);
    expect(runs[0]!.request.logType).toBe('syslog');
  });

  it('shows progress until it is cancelled, and then goes on with the next', async () => {
    const { queue, runs, stages } = queueOf();
    queue.add([file(1), file(2), file(3)]);
    await settled();
    const progress = { done: 5, total: 9, events: 2, rules: 0, summary: emptySummary, top: [] };
    runs[0]!.watch.onProgress(progress);
    expect(queue.list()[0]!.stage).toEqual({ at: 'running', progress });
    queue.cancel(1);
    await settled();
    runs[0]!.watch.onProgress(progress);
    expect(runs[0]!.watch.signal.aborted).toBe(true);
    expect(stages()).toEqual(['cancelled', 'running', 'running']);
  });

  it('forgets what is taken out, and analyses anew what is put in again', async () => {
    const { queue, runs, stages } = queueOf();
    queue.add([file(1)]);
    await settled();
    runs[0]!.resolve(report);
    await settled();
    queue.add([file(1)]);
    expect(stages()).toEqual(['running']);
    queue.remove(1);
    await settled();
    expect({ list: queue.list(), aborted: runs[1]?.watch.signal.aborted ?? true }).toEqual({ list: [], aborted: true });
  });

  it('tells a failure, and whether to try again is of use', async () => {
    const { queue, runs } = queueOf();
    queue.add([file(1)]);
    await settled();
    const failure = new TriageFailure('No engine of the workflow could read this file, so nothing was checked');
    runs[0]!.reject(failure);
    await settled();
    expect(queue.list()[0]!.stage).toEqual({ at: 'failed', error: failure });
    expect([isFinal(failure), isFinal(new TypeError('Failed to fetch'))]).toEqual([true, false]);
  });
});
