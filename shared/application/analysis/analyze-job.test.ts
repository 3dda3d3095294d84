import { analysisKey, analysisOf } from '@svc/contracts/tasks.ts';
import { overriding, overridingIn } from '@svc/adapters/testing/overriding.ts';
import { enginesOf, FakeEngine, finding, output, untilAborted } from '@svc/adapters/testing/fake-engine.ts';
import { submitLog, receivedAnalysis } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError, type Actor, type Job } from '@svc/domain';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelJob } from '../jobs/cancel-job.ts';
import { getJob } from '../jobs/get-job.ts';
import { EngineFailure, NothingRead } from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import type { LeaseOf } from '../ports/task-queue.ts';
import { analyzeJob } from './analyze-job.ts';
import { handleCrash } from './handle-crash.ts';
import { recoverStuckJobs } from './recover-stuck-jobs.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const working = new AbortController().signal;

let test: TestPorts;
let ports: Ports;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  const { id, email } = await ports.accounts.create({
    email: 'a@x.org',
    passwordHash: '',
    role: 'admin',
    displayName: null,
  });
  admin = { kind: 'account', userId: id, email, role: 'admin', ip: '192.0.2.9' };
});
afterAll(() => test.close());

async function submitted(definition?: string): Promise<number> {
  if (definition !== undefined) {
    await ports.workflows.seed([{ name: 'Own', description: '', logTypes: [], isDefault: false, definition }]);
  }
  const name = definition === undefined ? 'Windows Full Analysis' : 'Own';
  const workflow = (await ports.workflows.list()).find((one) => one.name === name);
  return submitLog(ports, visitor, { content: 'ElfFile\0 and so on', workflow_id: workflow?.id ?? 0 });
}

const received = (): Promise<LeaseOf<'run_analysis'>> => receivedAnalysis(ports);

/** A job whose worker died. */
async function abandoned(): Promise<number> {
  const id = await submitted();
  const { token } = await received();
  await ports.jobs.claim(id, token, new Date());
  return id;
}

async function jobOf(id: number): Promise<Job> {
  const record = await ports.jobs.get(id);
  if (!record) throw new Error('no job');
  return record.job;
}

/** An object store from which nothing ever arrives, and when it was first asked. */
function endlessDownload(): { objects: Ports['objects']; fetching: Promise<unknown> } {
  const asked = new EventEmitter();
  const objects = overriding(ports.objects, {
    localCopy: (_key, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        asked.emit('download');
      }),
  });
  return { objects, fetching: once(asked, 'download') };
}

async function analyzed(definition?: string): Promise<Job> {
  const id = await submitted(definition);
  await analyzeJob(ports, await received(), working);
  return jobOf(id);
}

const skippedSteps = [
  { tool: 'post:analytics', status: 'skipped' },
  { tool: 'post:similarity', status: 'skipped' },
];

describe('a job', () => {
  it('is completed with its findings, totals and facts', async () => {
    test.engine.behave = async (_input, { onProgress }) => {
      onProgress(9);
      return output({ findings: [finding({ count: 3 })], warnings: ['1 damaged chunk'], log: 'rejected: x.yml:3' });
    };
    const job = await analyzed();
    expect(job).toMatchObject({ status: 'completed', errorCode: null, totalFindings: 3, scoreRatio: '1/1' });
    expect(job.severitySummary.high).toBe(3);
    expect(await getJob(ports, visitor, { id: job.id })).toMatchObject({
      events: 12,
      warnings: ['1 damaged chunk'],
      rules: { name: 'core', loaded: 30 },
      tasks: [
        {
          id: expect.any(Number),
          tool: 'sigma-native',
          status: 'completed',
          findings_count: 1,
          progress: { bytes_total: 18 },
        },
        { id: -1, tool: 'post:analytics', status: 'completed' },
        { id: -2, tool: 'post:similarity', status: 'completed' },
      ],
      can_cancel: false,
    });
  });

  it('gives its engine the file, the rules and the number of events to keep', async () => {
    test.settings.maxFindingDetails = 4;
    let content = '';
    test.engine.behave = async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      content = await readFile(path, 'utf8');
      return output();
    };
    await analyzed();
    expect(content).toBe('ElfFile\0 and so on');
    expect(test.engine.inputs).toMatchObject([
      { sizeBytes: 18, logType: 'evtx', rules: null, task: { rulesPaths: [] }, maxFindingDetails: 4 },
    ]);
    await analyzed('tasks: [{tool: sigma-native, rules_path: [a, b], max_finding_details: 2}]');
    expect(test.engine.inputs[1]).toMatchObject({ task: { rulesPaths: ['a', 'b'] }, maxFindingDetails: 2 });
  });

  it('writes what was found only once there is room for it', async () => {
    const stored: number[] = [];
    const objects = overriding(ports.objects, {
      hasRoom: async () => {
        stored.push((await ports.jobs.get(jobId))?.job.totalFindings ?? 0);
        return true;
      },
    });
    test.engine.behave = async () => output({ findings: [finding({ count: 3 })] });
    const jobId = await submitted();
    await analyzeJob({ ...ports, objects }, await received(), working);
    expect(new Set(stored)).toEqual(new Set([0]));
    expect((await jobOf(jobId)).totalFindings).toBe(3);
  });

  it('without findings is completed all the same', async () => {
    test.engine.behave = async () => output({ findings: [] });
    expect(await analyzed()).toMatchObject({ status: 'completed', totalFindings: 0, scoreRatio: '0/1' });
  });

  it('fails when no engine can read the file, and never looks clean', async () => {
    const xml = 'tasks: [{tool: sigma-native}, {tool: evtx-hunt}, {tool: evtx-timeline, when_available: true}]';
    Object.assign(test.engine, { supportedTypes: new Set(['syslog']) });
    const job = await analyzed(xml);
    Object.assign(test.engine, { supportedTypes: new FakeEngine().supportedTypes });
    expect(job).toMatchObject({ status: 'failed', errorCode: 'no_task_ran', scoreRatio: '0/0' });
    const tasks = await ports.jobViews.tasks(job.id);
    expect(tasks.map(({ engine, status }) => [engine, status])).toEqual([
      ['sigma-native', 'skipped'],
      ['evtx-hunt', 'skipped'],
    ]);
    expect(tasks.map(({ errorMessage }) => errorMessage)).toEqual([
      'sigma-native cannot read Windows Event Log (EVTX): not supported',
      'The engine evtx-hunt is not enabled here',
    ]);
  });

  it('fails when nothing at all could be read, and tells administrators why', async () => {
    test.engine.behave = () => Promise.reject(new NothingRead('The file does not begin as an event log.'));
    const { id } = await analyzed();
    const reason = 'Nothing could be read. The file does not begin as an event log.';
    const failed = { status: 'failed', error_code: 'no_task_ran', score_ratio: '0/0', total_findings: 0 };
    expect(await getJob(ports, admin, { id })).toMatchObject({
      ...failed,
      error: expect.stringContaining(reason),
      tasks: [{ status: 'skipped', error: reason }, ...skippedSteps],
    });
    expect(await getJob(ports, visitor, { id })).toMatchObject({
      ...failed,
      error: 'No engine of the workflow could read this file, so nothing was checked',
      tasks: [{ status: 'skipped', error: 'This engine could not read the file' }, ...skippedSteps],
    });
  });

  it('is completed by the engine that could read it', async () => {
    let runs = 0;
    test.engine.behave = async () => {
      if (++runs === 1) throw new NothingRead('It is not text.');
      return output();
    };
    const job = await analyzed('tasks: [{tool: sigma-native}, {tool: sigma-native}]');
    expect(job).toMatchObject({ status: 'completed', scoreRatio: '1/1' });
  });

  describe('of several tasks', () => {
    const three = 'tasks: [{tool: sigma-native}, {tool: sigma-native}, {tool: sigma-native}]';

    /** The most tasks that ran at the same time; each waits until as many run as are wanted. */
    async function mostAtOnce(wanted: number): Promise<number> {
      let running = 0;
      let most = 0;
      const met = new EventEmitter();
      test.engine.behave = async (_input, { signal }) => {
        running += 1;
        most = Math.max(most, running);
        if (most >= wanted) met.emit('met');
        else await once(met, 'met', { signal });
        running -= 1;
        return output({ findings: [finding({ ruleName: `rule ${running}` })] });
      };
      expect(await analyzed(three)).toMatchObject({ status: 'completed', totalFindings: 3, scoreRatio: '3/3' });
      return most;
    }

    it('runs one after another, and side by side where the site wants that', async () => {
      expect(await mostAtOnce(1)).toBe(1);
      test.settings.parallelExecution = true;
      expect(await mostAtOnce(2)).toBe(2);
    });

    it('stops all of them when it is cancelled, and keeps what was found', async () => {
      test.settings.parallelExecution = true;
      const started = new EventEmitter();
      const both = once(started, 'both');
      let runs = 0;
      test.engine.behave = (input, run) => {
        runs += 1;
        if (runs === 3) started.emit('both');
        return runs === 1 ? Promise.resolve(output()) : untilAborted()(input, run);
      };
      const id = await submitted(three);
      const analysis = analyzeJob(ports, await received(), working);
      await both;
      await cancelJob(ports, admin, { id });
      await analysis;
      expect(await jobOf(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled_by_user', totalFindings: 1 });
      const tasks = await ports.jobViews.tasks(id);
      // They begin together, in no order.
      expect(tasks.map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'completed']);
    });
  });

  it('fails when every task is left out', async () => {
    const job = await analyzed('tasks: [{tool: evtx-hunt, when_available: true}]');
    expect(job).toMatchObject({ status: 'failed', errorCode: 'no_task_ran' });
    expect(await ports.jobViews.tasks(job.id)).toEqual([]);
  });

  it.each(['tasks: []', 'nonsense: ['])('fails when the definition is %j', async (definition) => {
    expect(await analyzed(definition)).toMatchObject({ status: 'failed', errorCode: 'workflow_empty' });
  });

  it('fails when its upload is gone', async () => {
    const id = await submitted();
    await ports.objects.delete((await ports.jobs.get(id))?.file.storageKey ?? '');
    await analyzeJob(ports, await received(), working);
    expect(await jobOf(id)).toMatchObject({ status: 'failed', errorCode: 'upload_missing' });
  });

  it('is partial when one engine fails and another does not', async () => {
    const engines = enginesOf((name) => (name === 'broken' ? broken : test.engine));
    const broken = new FakeEngine('broken', null);
    broken.behave = async () => Promise.reject(new EngineFailure('needs more memory'));
    const id = await submitted('tasks: [{tool: broken}, {tool: sigma-native}]');
    await analyzeJob({ ...ports, engines }, await received(), working);
    expect(await jobOf(id)).toMatchObject({ status: 'partial', errorCode: null, scoreRatio: '1/2', totalFindings: 1 });
  });

  it('fails with the text of its engines, which administrators alone read', async () => {
    test.engine.behave = async () => Promise.reject(new EngineFailure('/srv/rules cannot be read'));
    const { id } = await analyzed();
    const shown = await getJob(ports, visitor, { id });
    expect(shown).toMatchObject({ status: 'failed', error_code: 'tasks_failed', error: 'The analysis failed' });
    expect(JSON.stringify(shown)).not.toContain('/srv/rules');
    const full = await getJob(ports, admin, { id });
    expect(full).toMatchObject({ error: '/srv/rules cannot be read', original_filename: 'Security.evtx' });
    expect(full.tasks[0]?.error).toBe('/srv/rules cannot be read');
  });

  it('fails, and its worker lives on, when an engine throws what nobody expected', async () => {
    test.engine.behave = async () => Promise.reject(new TypeError('x is undefined'));
    expect(await analyzed()).toMatchObject({
      status: 'failed',
      errorMessage: 'sigma-native failed unexpectedly: x is undefined',
    });
  });

  it('fails when its engine exceeds the time limit, which the text names', async () => {
    test.engine.behave = untilAborted();
    expect(await analyzed('tasks: [{tool: sigma-native, timeout: 1}]')).toMatchObject({
      status: 'failed',
      errorMessage: 'sigma-native did not finish within its limit of 1 s',
    });
  });

  it('leaves the time limit of a program of others to what runs it, which may wait for a machine first', async () => {
    test.engine.isBuiltIn = false;
    test.engine.behave = async (_, { signal }) => {
      await sleep(1100);
      signal.throwIfAborted();
      return output();
    };
    const job = await analyzed('tasks: [{tool: sigma-native, timeout: 1}]');
    test.engine.isBuiltIn = true;
    expect(job).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['its output', async () => output({ log: '€'.repeat(100) })],
    ['its failure', async () => Promise.reject(new EngineFailure('no', { log: '€'.repeat(100) }))],
  ])('keeps of an engine’s log about %s what the setting allows', async (_what, behave) => {
    test.engine.behave = behave;
    const kept: string[] = [];
    const results = overriding(ports.results, {
      finishTask: (id, outcome, at) => {
        kept.push(outcome.logOutput);
        return ports.results.finishTask(id, outcome, at);
      },
    });
    const deployment = { ...ports.deployment, maxLogOutputBytes: 10 };
    await submitted();
    await analyzeJob({ ...ports, deployment, results }, await received(), working);
    expect(kept).toEqual(['€€€']);
  });
});

describe('a second attempt', () => {
  it('replaces what the first one left', async () => {
    const id = await submitted();
    const first = await received();
    // The first worker finished its task and died before it could end the job.
    const transaction = overridingIn(ports.transaction, {
      jobs: { changeStatus: async () => Promise.reject(new Error('killed')) },
    });
    await expect(analyzeJob({ ...ports, transaction }, first, working)).rejects.toThrow('killed');
    expect(await ports.findings.withEvents(id)).toHaveLength(1);
    await recoverStuckJobs(ports, 'startup');
    const second = await received();
    expect(second.attempt).toBe(2);
    await analyzeJob(ports, second, working);
    expect(await jobOf(id)).toMatchObject({ status: 'completed', totalFindings: 1, distinctRules: 1 });
    expect(await ports.findings.withEvents(id)).toHaveLength(1);
  });

  it('leaves the first worker nothing to say, should it still live', async () => {
    const id = await submitted();
    const slow = await received();
    const gate = new EventEmitter();
    test.engine.behave = async () => {
      await once(gate, 'open');
      return output({ findings: [finding({ ruleId: 'late' })] });
    };
    const first = analyzeJob(ports, slow, working);
    while (test.engine.inputs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    test.engine.behave = async () => output();
    await ports.ledger.dropLeases();
    await analyzeJob(ports, await received(), working);
    gate.emit('open');
    await expect(first).resolves.toBeUndefined();
    expect(await jobOf(id)).toMatchObject({ status: 'completed', totalFindings: 1 });
    expect((await ports.findings.withEvents(id)).map(({ ruleId }) => ruleId)).not.toContain('late');
  });

  it('does nothing for a job that has ended, or is gone', async () => {
    const id = await submitted();
    const lease = await received();
    await analyzeJob(ports, lease, working);
    await analyzeJob(ports, { ...lease, attempt: 2, token: 'other' }, working);
    await analyzeJob(ports, { task: analysisOf(999_999), key: 'x', attempt: 1, token: 'other' }, working);
    expect(test.engine.inputs).toHaveLength(1);
    expect((await jobOf(id)).status).toBe('completed');
  });
});

describe('cancelling', () => {
  it('ends a pending job at once, and its task is dropped', async () => {
    const id = await submitted();
    expect(await cancelJob(ports, admin, { id })).toEqual({ job_id: id, status: 'cancelled', cancelling: false });
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled_by_user' });
    expect(await ports.tasks.receive({ worker: 'w', waitMs: 0 })).toBeNull();
  });

  it('ends a task that a worker had already received', async () => {
    const id = await submitted();
    const lease = await received();
    await cancelJob(ports, admin, { id });
    await analyzeJob(ports, lease, working);
    expect(test.engine.inputs).toHaveLength(0);
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled_by_user' });
  });

  it('stops a running job through its worker and keeps what was found', async () => {
    const engines = enginesOf((name) => (name === 'quick' ? new FakeEngine('quick', null) : test.engine));
    const id = await submitted('tasks: [{tool: quick}, {tool: sigma-native}, {tool: sigma-native}]');
    const lease = await received();
    const started = new Promise<void>((resolve) => (test.engine.behave = untilAborted(resolve)));
    const analysis = analyzeJob({ ...ports, engines }, lease, working);
    await started;
    expect(await cancelJob(ports, admin, { id })).toEqual({ job_id: id, status: 'running', cancelling: true });
    await analysis;
    const job = await jobOf(id);
    expect(job).toMatchObject({
      status: 'cancelled',
      errorCode: 'cancelled_by_user',
      totalFindings: 1,
      scoreRatio: '1/1',
    });
    const tasks = await ports.jobViews.tasks(id);
    expect(tasks.map(({ status }) => status)).toEqual(['completed', 'cancelled', 'cancelled']);
    expect(await cancelJob(ports, admin, { id })).toEqual({ job_id: id, status: 'cancelled', cancelling: false });
  }, 10_000);

  it('stops the download of the log, too', async () => {
    const id = await submitted();
    const lease = await received();
    const { objects, fetching } = endlessDownload();
    const analysis = analyzeJob({ ...ports, objects }, lease, working);
    await fetching;
    await cancelJob(ports, admin, { id });
    await analysis;
    expect(test.engine.inputs).toHaveLength(0);
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled_by_user' });
  }, 10_000);

  it('ends a running job at once when its worker is gone', async () => {
    const id = await submitted();
    const { token } = await received();
    await ports.jobs.claim(id, token, new Date());
    await ports.ledger.dropLeases();
    expect(await cancelJob(ports, admin, { id })).toEqual({ job_id: id, status: 'cancelled', cancelling: false });
    expect(await jobOf(id)).toMatchObject({ errorCode: 'cancelled_worker_lost' });
    expect(await ports.ledger.state(analysisKey(id))).toBeNull();
  });

  it('changes nothing about a job that has ended', async () => {
    const { id } = await analyzed();
    expect(await cancelJob(ports, admin, { id })).toEqual({ job_id: id, status: 'completed', cancelling: false });
  });

  it('is for administrators and the submitter', async () => {
    const id = await submitted();
    const user: Actor = { ...(admin as Extract<Actor, { kind: 'account' }>), role: 'member' };
    await expect(cancelJob(ports, user, { id })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(cancelJob(ports, visitor, { id })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(cancelJob(ports, admin, { id: 999_999 })).rejects.toMatchObject({ code: 'not_found' });
    expect((await jobOf(id)).status).toBe('pending');
  });
});

describe('a worker that leaves', () => {
  it('stops the download of the log, gives its reason and ends nothing', async () => {
    const id = await submitted();
    const stop = new AbortController();
    const { objects, fetching } = endlessDownload();
    const analysis = analyzeJob({ ...ports, objects }, await received(), stop.signal);
    await fetching;
    stop.abort(new Error('shutting down'));
    await expect(analysis).rejects.toThrow('shutting down');
    expect((await jobOf(id)).status).toBe('running');
  });

  it('stops its engine, gives its reason and ends nothing', async () => {
    const id = await submitted();
    const lease = await received();
    const stop = new AbortController();
    const started = new Promise<void>((resolve) => (test.engine.behave = untilAborted(resolve)));
    const analysis = analyzeJob(ports, lease, stop.signal);
    await started;
    stop.abort(new Error('shutting down'));
    await expect(analysis).rejects.toThrow('shutting down');
    expect((await jobOf(id)).status).toBe('running');
  });

  it('waits out what the service stands on, for as long as it might have waited for a worker', async () => {
    const id = await submitted();
    const outage = new AppError('unavailable', 'no database');
    for (const attempt of [1, 5]) {
      const lease = await received();
      await handleCrash(ports, { ...lease, attempt }, outage);
      expect(await ports.ledger.state(analysisKey(id))).toEqual({ attempts: 0, held: false });
      await ports.ledger.remove(analysisKey(id));
      await ports.tasks.enqueue(analysisOf(id));
    }
    test.advance(ports.deployment.queueExpirySeconds);
    await handleCrash(ports, { ...(await received()), attempt: 2 }, outage);
    expect(await jobOf(id)).toMatchObject({ status: 'failed', errorCode: 'internal' });
  });

  it('says nothing of a job that another worker has taken over', async () => {
    const id = await submitted();
    const lease = await received();
    await ports.ledger.dropLeases();
    const { token } = await received();
    await ports.jobs.claim(id, token, new Date());
    await handleCrash(ports, { ...lease, attempt: 2 }, new Error('disk on fire'));
    expect((await jobOf(id)).status).toBe('running');
    expect(await ports.ledger.state(analysisKey(id))).toEqual({ attempts: 2, held: true });
  });

  it('is tried again once after a crash, then the job fails', async () => {
    const id = await submitted();
    const lease = await received();
    await ports.jobs.claim(id, lease.token, new Date());
    await handleCrash(ports, lease, new Error('disk on fire'));
    expect(await ports.ledger.state(analysisKey(id))).toEqual({ attempts: 1, held: false });
    await ports.ledger.remove(analysisKey(id));
    await ports.tasks.enqueue(analysisOf(id));
    await handleCrash(ports, { ...(await received()), attempt: 2 }, new Error('disk on fire'));
    expect(await jobOf(id)).toMatchObject({
      status: 'failed',
      errorCode: 'internal',
      errorMessage: 'The analysis stopped unexpectedly: disk on fire',
    });
    expect(await ports.ledger.state(analysisKey(id))).toBeNull();
  });
});

describe('recovery', () => {
  it('queues running jobs again at the start, three times at most', async () => {
    const id = await abandoned();
    for (const attempt of [2, 3]) {
      expect(await recoverStuckJobs(ports, 'startup')).toBe(1);
      expect(await received()).toMatchObject({ task: { jobId: id }, attempt });
      expect((await jobOf(id)).status).toBe('running');
    }
    await recoverStuckJobs(ports, 'startup');
    expect(await jobOf(id)).toMatchObject({ status: 'failed', errorCode: 'worker_lost_startup' });
    expect(await ports.ledger.state(analysisKey(id))).toBeNull();
  });

  it('tells when it was an administrator who found the last worker gone', async () => {
    const id = await abandoned();
    for (const attempt of [2, 3]) {
      await ports.ledger.dropLeases();
      expect(await recoverStuckJobs(ports, 'admin')).toBe(1);
      expect(await received()).toMatchObject({ task: { jobId: id }, attempt });
    }
    expect(await recoverStuckJobs(ports, 'admin')).toBe(0);
    await ports.ledger.dropLeases();
    expect(await recoverStuckJobs(ports, 'admin')).toBe(1);
    const message = 'The worker stopped during the analysis; submit the file again';
    expect(await jobOf(id)).toMatchObject({ status: 'failed', errorCode: 'worker_lost_admin', errorMessage: message });
    expect(await ports.ledger.state(analysisKey(id))).toBeNull();
  });

  it('completes a job that was interrupted', async () => {
    const id = await abandoned();
    await recoverStuckJobs(ports, 'startup');
    await analyzeJob(ports, await received(), working);
    expect((await jobOf(id)).status).toBe('completed');
  });

  it('ends an interrupted job that was to be cancelled', async () => {
    const id = await abandoned();
    await ports.jobs.requestCancel(id, new Date());
    await recoverStuckJobs(ports, 'startup');
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled_worker_lost' });
  });

  it('leaves a job alone whose worker lives', async () => {
    const id = await abandoned();
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(0);
    expect((await jobOf(id)).status).toBe('running');
    expect(await ports.ledger.state(analysisKey(id))).toEqual({ attempts: 1, held: true });
  });

  it('queues jobs whose process ended before it could', async () => {
    const id = await submitted();
    await ports.ledger.remove(analysisKey(id));
    expect(await recoverStuckJobs(ports, 'startup')).toBe(1);
    expect(await received()).toMatchObject({ task: { jobId: id } });
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(0);
  });

  it('fails jobs that waited too long, in the sweep and at pick-up', async () => {
    const [swept, picked] = [await submitted(), await submitted()];
    await received();
    test.advance(1801);
    await analyzeJob(ports, { ...(await received()), task: analysisOf(picked) }, working);
    expect(await jobOf(picked)).toMatchObject({ status: 'failed', errorCode: 'queue_expired' });
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(0);
    test.advance(60);
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(1);
    expect(await jobOf(swept)).toMatchObject({ status: 'failed', errorCode: 'queue_expired' });
    expect(test.engine.inputs).toHaveLength(0);
  });

  it('does not count the wait for the jobs of others', async () => {
    const [first, second, third] = [await submitted(), await submitted(), await submitted()];
    test.advance(1700);
    const lease = await received();
    await analyzeJob(ports, lease, working);
    await ports.tasks.acknowledge(lease);
    test.advance(1500);
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(0);
    await analyzeJob(ports, await received(), working);
    expect((await jobOf(first)).status).toBe('completed');
    expect((await jobOf(second)).status).toBe('completed');
    test.advance(1861);
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(1);
    expect(await jobOf(third)).toMatchObject({ status: 'failed', errorCode: 'queue_expired' });
  });

  it('ends a job as partial whose log was too much, and keeps what was found', async () => {
    test.engine.behave = async () => output({ isCutShort: true, warnings: ['read no further'] });
    const id = await submitted();
    await analyzeJob(ports, await received(), working);
    expect(await jobOf(id)).toMatchObject({ status: 'partial', distinctRules: 1 });
    expect(await ports.jobViews.tasks(id)).toMatchObject([{ status: 'completed', warnings: ['read no further'] }]);
  });

  it('does not count the wait for a job that is worked on', async () => {
    await abandoned();
    const id = await submitted();
    test.advance(10_000);
    expect(await recoverStuckJobs(ports, 'sweep')).toBe(0);
    expect((await jobOf(id)).status).toBe('pending');
  });

  it('does not count the wait of a job that has begun', async () => {
    const id = await abandoned();
    test.advance(10_000);
    await recoverStuckJobs(ports, 'startup');
    await analyzeJob(ports, await received(), working);
    expect((await jobOf(id)).status).toBe('completed');
  });

  it('gives up a task that was received too often', async () => {
    const id = await submitted();
    await analyzeJob(ports, { ...(await received()), attempt: 4 }, working);
    expect(await jobOf(id)).toMatchObject({ status: 'failed', errorCode: 'worker_lost_startup' });
  });
});
