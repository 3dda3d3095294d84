import { RequestError, type SubmittedJob } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { SendError } from '../../api/send-body.ts';
import type { SendOptions, SendStep } from '../../api/send-options.ts';
import { SubmissionQueue, type QueuePorts } from './submission-queue.ts';
import { submitWhenKnown } from './submit-when-known.ts';

const limits = { files: 50, bytes: 100, slots: 4 };
const options: SendOptions = { workflowId: 1, logType: 'auto', isPrivate: false, force: false, tags: [], caseId: null };
const job: SubmittedJob = { job_id: 42, status: 'pending', reused: false, job_url: '/jobs/42', case_id: null };
const file = (name: string, size = 10) => new File(['x'.repeat(size)], name);
const refusal = (status: number, after: number | null, code = 'busy') =>
  new SendError(new RequestError(status, { detail: 'No.', code, request_id: 'r1' }, after));
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A queue whose transfers and clock are moved by hand. */
function harness() {
  const transfers: {
    name: string;
    key: string | null;
    signal: AbortSignal;
    progress: (done: number, step: SendStep) => void;
    done: () => void;
    fail: (error: Error) => void;
  }[] = [];
  const timers: { at: number; run: () => void }[] = [];
  let time = 0;
  let keys = 0;
  const ports: QueuePorts = {
    detect: async ({ name }) => {
      if (name.startsWith('odd')) throw new Error('no preview');
      return { type: 'evtx', notLog: null };
    },
    newKey: () => `key-${(keys += 1)}`,
    send: ({ name }, _, { signal, onProgress, idempotencyKey }) =>
      new Promise((resolve, reject) => {
        transfers.push({
          name,
          key: idempotencyKey,
          signal,
          progress: onProgress,
          done: () => resolve(job),
          fail: reject,
        });
      }),
    now: () => time,
    after: (ms, run) => timers.push({ at: time + ms, run }),
  };
  const queue = new SubmissionQueue(ports);
  const pass = (ms: number) => {
    time += ms;
    for (const timer of timers.splice(0))
      if (timer.at <= time) timer.run();
      else timers.push(timer);
  };
  const stages = () => queue.state().list.map(({ stage }) => stage.at);
  const submitAll = () => queue.state().list.forEach(({ key }) => queue.submit(key, options));
  return { queue, transfers, pass, stages, submitAll };
}

describe('SubmissionQueue', () => {
  it('asks what each file is and goes on without an answer', async () => {
    const { queue } = harness();
    queue.add([file('a.evtx'), file('odd.bin')], limits);
    expect(queue.state().list.map(({ detection }) => detection.at)).toEqual(['asking', 'asking']);
    await settled();
    expect(queue.state().list.map(({ detection }) => detection)).toEqual([
      { at: 'known', type: 'evtx', notLog: null },
      { at: 'unanswered' },
    ]);
  });

  it('refuses empty files at once, with the reason', () => {
    const { queue } = harness();
    queue.add([file('nothing.evtx', 0)], limits);
    expect(queue.state().list[0]!.stage).toMatchObject({ at: 'refused', code: 'empty', final: true });
  });

  it('sends at once what can be sent, when told to, and lets the rest be looked at', async () => {
    const { queue, transfers, stages } = harness();
    const workflows = [{ id: 3, name: 'Windows', description: '', log_types: ['evtx' as const], is_default: true }];
    queue.add([file('before')], limits);
    submitWhenKnown(queue, queue.add([file('a'), file('odd.bin'), file('empty', 0)], limits), workflows);
    expect(stages()).toEqual(['ready', 'ready', 'ready', 'refused']);
    await settled();
    expect(transfers.map(({ name }) => name)).toEqual(['a', 'odd.bin']);
    expect(stages()).toEqual(['ready', 'sending', 'sending', 'refused']);
  });

  it('sends two at a time', async () => {
    const { queue, transfers, stages, submitAll } = harness();
    queue.add([file('a'), file('b'), file('c')], limits);
    submitAll();
    expect(stages()).toEqual(['sending', 'sending', 'waiting']);
    transfers[0]!.progress(7, 'hashing');
    expect(queue.state().list[0]!.stage).toEqual({ at: 'sending', step: 'hashing', done: 7 });
    transfers[1]!.done();
    await settled();
    expect(stages()).toEqual(['sending', 'accepted', 'sending']);
    expect(transfers.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('sends no more at a time than the service receives', async () => {
    const { queue, transfers, stages, submitAll } = harness();
    queue.add([file('a'), file('b')], { ...limits, slots: 1 });
    submitAll();
    expect(stages()).toEqual(['sending', 'waiting']);
    transfers[0]!.done();
    await settled();
    expect(stages()).toEqual(['accepted', 'sending']);
  });

  it('waits a minute when its share of the minute is used up', async () => {
    const { queue, transfers, pass, stages, submitAll } = harness();
    queue.add([file('a')], limits);
    submitAll();
    transfers[0]!.fail(refusal(429, 60));
    await settled();
    pass(59_000);
    expect(stages()).toEqual(['waiting']);
    pass(1100);
    expect(stages()).toEqual(['sending']);
  });

  it('waits for a place however long it takes', async () => {
    const { queue, transfers, pass, stages, submitAll } = harness();
    queue.add([file('a')], limits);
    submitAll();
    for (let round = 0; round < 100; round += 1) {
      transfers.at(-1)!.fail(refusal(429, 5));
      await settled();
      expect(stages()).toEqual(['waiting']);
      pass(5100);
    }
    expect(stages()).toEqual(['sending']);
  });

  it('waits as long as a busy service says, while others go on', async () => {
    const { queue, transfers, pass, stages, submitAll } = harness();
    queue.add([file('a'), file('b'), file('c')], limits);
    submitAll();
    transfers[0]!.fail(refusal(429, 5));
    await settled();
    expect(stages()).toEqual(['waiting', 'sending', 'sending']);
    expect(queue.state().list[0]!.stage).toMatchObject({ reason: 'No.' });
    transfers[1]!.done();
    await settled();
    expect(stages()).toEqual(['waiting', 'accepted', 'sending']);
    pass(5100);
    expect(stages()).toEqual(['sending', 'accepted', 'sending']);
  });

  it('waits for space when the service says for how long, else leaves the next try to the person', async () => {
    const { queue, transfers, pass, stages, submitAll } = harness();
    queue.add([file('a'), file('b')], limits);
    submitAll();
    transfers[0]!.fail(refusal(507, 30));
    transfers[1]!.fail(refusal(507, null));
    await settled();
    expect(queue.state().list[0]!.stage).toEqual({ at: 'waiting', reason: 'No.', until: 30_000 });
    expect(stages()).toEqual(['waiting', 'refused']);
    pass(30_100);
    expect(stages()).toEqual(['sending', 'refused']);
  });

  it('gives up on a service that stays away', async () => {
    const { queue, transfers, pass, stages, submitAll } = harness();
    queue.add([file('a')], limits);
    submitAll();
    for (let round = 0; round < 20 && stages()[0] === 'sending'; round += 1) {
      transfers.at(-1)!.fail(refusal(503, null));
      await settled();
      pass(5100);
    }
    expect(queue.state().list[0]!.stage).toMatchObject({
      at: 'refused',
      message: 'No.',
      code: 'busy',
      requestId: 'r1',
      final: false,
    });
  });

  it('shows a refusal in its own words and takes another try', async () => {
    const { queue, transfers, stages, submitAll } = harness();
    queue.add([file('a')], limits);
    submitAll();
    transfers[0]!.fail(refusal(400, null));
    await settled();
    expect(queue.state().list[0]!.stage).toMatchObject({ at: 'refused', message: 'No.', requestId: 'r1' });
    submitAll();
    transfers[1]!.done();
    await settled();
    expect(stages()).toEqual(['accepted']);
    queue.clearAccepted();
    expect(queue.state().list).toEqual([]);
  });

  it('stops the transfer of a removed file and gives its place away', () => {
    const { queue, transfers, stages, submitAll } = harness();
    queue.add([file('a'), file('b'), file('c')], limits);
    submitAll();
    queue.remove(queue.state().list[0]!.key);
    expect(transfers[0]!.signal.aborted).toBe(true);
    expect(stages()).toEqual(['sending', 'sending']);
  });

  it('keeps to the limits of the service', () => {
    const { queue } = harness();
    queue.add([file('large', 101), file('a'), file('b')], { files: 2, bytes: 100, slots: 4 });
    expect(queue.state().leftOut).toBe(1);
    expect(queue.state().list.map(({ stage }) => stage.at)).toEqual(['refused', 'ready']);
  });

  it('holds all files back while the service counts requests', async () => {
    const { queue, transfers, pass, stages, submitAll } = harness();
    queue.add([file('a'), file('b'), file('c'), file('d')], limits);
    submitAll();
    transfers[0]!.fail(refusal(429, 60, 'rate_limited'));
    await settled();
    transfers[1]!.done();
    await settled();
    expect(stages()).toEqual(['waiting', 'accepted', 'waiting', 'waiting']);
    pass(60_100);
    expect(stages()).toEqual(['sending', 'accepted', 'sending', 'waiting']);
  });

  it('waits ever longer for a lost connection, and gives up in the end', async () => {
    const { queue, transfers, pass, submitAll } = harness();
    queue.add([file('a')], limits);
    submitAll();
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      transfers.at(-1)!.fail(new SendError(null));
      await settled();
      const { stage } = queue.state().list[0]!;
      if (stage.at !== 'waiting') throw new Error(`It is ${stage.at}`);
      expect(stage.reason).toMatch(/connection to the service is lost/);
      const before = transfers.length;
      let seconds = 0;
      for (; transfers.length === before && seconds < 100; seconds += 1) pass(1000);
      waits.push(seconds - 1);
    }
    expect(waits.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 60, 60]);
    transfers.at(-1)!.fail(new SendError(null));
    await settled();
    expect(queue.state().list[0]!.stage).toMatchObject({ at: 'refused', code: null });
  });

  it('tries at once when the connection is back', async () => {
    const { queue, transfers, stages, submitAll } = harness();
    queue.add([file('a')], limits);
    submitAll();
    transfers[0]!.fail(new SendError(null));
    await settled();
    expect(stages()).toEqual(['waiting']);
    queue.reconnect();
    expect(stages()).toEqual(['sending']);
    expect(transfers.map(({ key }) => key)).toEqual(['key-1', 'key-1']);
  });

  it('repeats a lost sending under its key, and anything else under a new one', async () => {
    const { queue, transfers, submitAll } = harness();
    const last = async (error: Error) => {
      transfers.at(-1)!.fail(error);
      await settled();
    };
    queue.add([file('a')], limits);
    submitAll();
    await last(new SendError(null));
    submitAll();
    await last(new SendError(null));
    queue.submit(1, { ...options, tags: ['phishing'] });
    await last(refusal(400, null));
    queue.submit(1, { ...options, tags: ['phishing'] });
    expect(transfers.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-2', 'key-3']);
  });

  it('keeps what is chosen for one file apart from what is chosen for all', () => {
    const { queue } = harness();
    queue.add([file('a'), file('b')], limits);
    queue.choose(1, { isPrivate: true, workflow: 7 });
    queue.choose(1, { type: 'syslog' });
    queue.chooseForAll({ tags: ['phishing'] });
    expect(queue.state().list.map(({ own }) => own)).toEqual([{ isPrivate: true, type: 'syslog' }, {}]);
    expect(queue.state().options).toMatchObject({ isPrivate: false, tags: ['phishing'] });
    queue.choose(1, null);
    expect(queue.state().list[0]!.own).toEqual({});
  });
});
