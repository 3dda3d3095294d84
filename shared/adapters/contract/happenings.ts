import { drainHappenings } from '@svc/application/happenings/drain-happenings.ts';
import type { HappeningHandler } from '@svc/application/happenings/handlers.ts';
import { removeHappenings } from '@svc/application/happenings/remove-happenings.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewHappening } from '@svc/contracts/happenings.ts';
import { AppError } from '@svc/domain';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, jobFixture } from './job-fixture.ts';

const consumer = 'test';
const toTest = (): readonly string[] => [consumer];

function untagged(id: number, name: string): NewHappening {
  return { kind: 'untagged', subject: { kind: 'job', id }, by: null, at, names: [name] };
}

function later(days: number): Date {
  return new Date(at.getTime() + days * 86_400_000);
}

/** A seeded source of numbers from 0 to 1, so that a failure comes again. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * What the outbox does, and the delivery of what is in it. `make` gives the ports of two processes; `hurry` makes
 * everything due that was postponed.
 */
export function happeningsContract(make: () => Promise<readonly [Ports, Ports]>, hurry: () => Promise<unknown>): void {
  describe('happenings', () => {
    let ports: Ports;
    let other: Ports;
    const { submit, userNamed } = jobFixture(async () => ([ports, other] = await make())[0]);
    let author: string;
    let first: number;
    let second: number;
    beforeEach(async () => {
      author = await userNamed('author@example.org');
      [first, second] = [(await submit()).job.id, (await submit()).job.id];
    });

    const add = (...happened: NewHappening[]) =>
      ports.transaction(async (tx) => {
        await tx.jobs.hold(happened.map(({ subject }) => subject.id));
        await tx.happenings.add(happened, toTest);
      });
    /** Its effect can be counted, and tells the order. */
    const noting: HappeningHandler = async (tx, happening) => {
      if (happening.kind !== 'untagged') throw new Error('no such happening was written');
      const on = { target: 'job', id: happening.subject.id } as const;
      await tx.comments.add({ on, authorId: author, body: happening.names.join(), at });
    };
    const drain = (handle = noting, by = ports) => drainHappenings(by, { [consumer]: handle });
    const effects = async (id: number): Promise<string[]> => {
      const { comments } = await ports.comments.thread({ target: 'job', id }, { before: null, limit: 10_000 });
      return comments.map(({ body }) => body);
    };

    const removeAfter = (days: number) => removeHappenings({ ...ports, clock: { now: () => later(days) } });

    it('are delivered once, as they were written', async () => {
      const happened: NewHappening[] = [
        { kind: 'tagged', subject: { kind: 'job', id: first }, by: author, at, tags: [{ link: 7, name: 'a\u0000' }] },
        { kind: 'job_finished', subject: { kind: 'job', id: first }, by: null, at, status: 'completed' },
        { kind: 'case_created', subject: { kind: 'case', id: 3 }, by: author, at },
      ];
      await add(...happened);
      const got: unknown[] = [];
      const keep: HappeningHandler = async (_tx, { id: _id, ...happening }) => void got.push(happening);
      expect(await drain(keep)).toBe(3);
      const [tagged, ...rest] = happened;
      expect(got).toEqual([{ ...tagged, tags: [{ link: 7, name: 'a\uFFFD' }] }, ...rest]);
      expect([await drain(keep), await ports.happenings.waiting()]).toEqual([0, 0]);
    });

    it('are there with what they tell of, or neither', async () => {
      const failing = ports.transaction(async (tx) => {
        await tx.jobs.hold([first]);
        await tx.happenings.add([untagged(first, 'x')], toTest);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect([await drain(), await effects(first)]).toEqual([0, []]);
    });

    it('go to each consumer of their kind, and to no other', async () => {
      await ports.transaction((tx) =>
        tx.happenings.add(
          [untagged(first, 'x'), { kind: 'job_deleted', subject: { kind: 'job', id: first }, by: null, at }],
          (kind) => (kind === 'untagged' ? ['one', 'two'] : []),
        ),
      );
      expect(await ports.happenings.waiting()).toBe(2);
      const got: string[] = [];
      const handlers = Object.fromEntries(
        ['one', 'two', 'three'].map((name) => [
          name,
          async (_: unknown, { kind }: { kind: string }) => void got.push(`${name} ${kind}`),
        ]),
      );
      expect(await drainHappenings(ports, handlers)).toBe(2);
      expect(got).toEqual(['one untagged', 'two untagged']);
    });

    it('wait with what follows of their subject when they cannot be delivered, and keep no other waiting', async () => {
      await add(untagged(first, 'a'), untagged(first, 'b'), untagged(second, 'c'), untagged(second, 'd'));
      let isBroken = true;
      const handle: HappeningHandler = async (tx, happening, by) => {
        await noting(tx, happening, by);
        if (isBroken && happening.kind === 'untagged' && happening.names[0] === 'a') throw new Error('no');
      };
      expect(await drain(handle)).toBe(2);
      expect([await effects(first), await effects(second)]).toEqual([[], ['c', 'd']]);
      isBroken = false;
      expect(await drain(handle)).toBe(0);
      await hurry();
      expect(await drain(handle)).toBe(2);
      expect(await effects(first)).toEqual(['a', 'b']);
    });

    it('are left to others while one delivers something of their subject', async () => {
      await add(untagged(first, 'a'), untagged(first, 'b'), untagged(second, 'c'));
      const begun = new EventEmitter();
      // With one connection to the database this waits for us, else it looks and finds nothing.
      const others = once(begun, 'begun').then(() => drain(noting, other));
      const slow: HappeningHandler = async (tx, happening, by) => {
        begun.emit('begun');
        await sleep(20);
        await noting(tx, happening, by);
      };
      expect(await drain(slow)).toBe(3);
      expect(await others).toBe(0);
      expect([await effects(first), await effects(second)]).toEqual([['a', 'b'], ['c']]);
    });

    it('arrive once each, in the order of the commits of each subject, whatever happens at once', async () => {
      const seed = Math.trunc(Math.random() * 2 ** 32);
      const random = numbers(seed);
      const subjects = [first, second, (await submit()).job.id, (await submit()).job.id];
      const committed = new Map<number, string[]>(subjects.map((id) => [id, []]));
      const pause = () => sleep(random() * 6);
      const produce = async (turn: number): Promise<void> => {
        const on = subjects.filter(() => random() < 0.5);
        const [isUndone, delay, by] = [random() < 0.2, random() * 60, turn % 2 === 0 ? ports : other];
        await sleep(delay);
        const work = by.transaction(async (tx) => {
          // Takes an id before it waits for its subjects, as others do that have written something else.
          await tx.happenings.add(
            [{ kind: 'case_created', subject: { kind: 'case', id: turn }, by: null, at }],
            () => [],
          );
          await tx.jobs.hold(on);
          await pause();
          const happened = on.map((id) => untagged(id, `${turn}`));
          await tx.happenings.add(happened, toTest);
          await pause();
          if (isUndone) throw new AppError('conflict', 'undone');
          // They hold their subjects until they commit, which nothing keeps them from now.
          for (const id of on) committed.get(id)!.push(`${turn}`);
        });
        await work.catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        });
      };
      let isProducing = true;
      const failing: HappeningHandler = async (tx, happening, by) => {
        await noting(tx, happening, by);
        if (random() < 0.05) throw new Error('now and then');
      };
      const consume = async (by: Ports): Promise<void> => {
        while (isProducing || (await ports.happenings.waiting()) > 0) {
          await drain(failing, by);
          await hurry();
          await sleep(5);
        }
      };
      const consuming = [ports, other, ports, other].map(consume);
      await Promise.all(Array.from({ length: 60 }, (_, turn) => produce(turn)));
      isProducing = false;
      await Promise.all(consuming);
      for (const id of subjects) expect([seed, await effects(id)]).toEqual([seed, committed.get(id)]);
    }, 60_000);

    it('are forgotten 7 days after, once all have them', async () => {
      await add(untagged(first, 'a'), untagged(second, 'b'));
      expect(await removeAfter(8)).toBe(2);
      await drain();
      expect(await removeAfter(7)).toBe(0);
      expect(await removeAfter(8)).toBe(2);
      expect(await removeAfter(8)).toBe(0);
    });

    it('that commit ring the bell, and only those', async () => {
      let rings = 0;
      ports.happeningBell.answer(async () => void (rings += 1));
      const tell = (isUndone: boolean, to = toTest) =>
        ports.transaction(async (tx) => {
          await tx.happenings.add([untagged(first, 'x')], to);
          expect(rings).toBe(0);
          if (isUndone) throw new Error('changed my mind');
        });
      await expect(tell(true)).rejects.toThrow('changed my mind');
      await tell(false, () => []);
      expect(rings).toBe(0);
      await tell(false);
      expect(rings).toBe(1);
      ports.happeningBell.answer(async () => undefined);
    });
  });
}
