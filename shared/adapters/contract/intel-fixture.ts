import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { DerivedIntel } from '@svc/engine';
import { sql } from 'drizzle-orm';
import type { Database } from '../postgres/database.ts';
import { rowsOf } from '../postgres/rows-of.ts';
import { derived } from '../testing/fake-derived.ts';
import { finding } from '../testing/fake-engine.ts';
import { at, jobFixture, outcome } from './job-fixture.ts';
import { wrongCounts } from './wrong-counts.ts';

/** What a log names, so often. */
export const entity = (type: DerivedIntel['entities'][number]['type'], value: string, count = 1) => ({
  type,
  value,
  count,
});

/** Says nothing of entities. */
export const plain = { version: 1, describe: () => ({ attributes: null, keys: [] }) };

/** What a log names: a program that a user runs, with an address, and what a rule's matches name of it. */
export function intel(over: Partial<DerivedIntel> = {}): DerivedIntel {
  return {
    entities: [
      entity('user', 'Alice', 7),
      entity('executable', 'powershell.exe', 5),
      entity('ip_address', '10.0.0.1', 2),
    ],
    findings: [{ rule: 0, entities: [1, 2] }],
    relationships: [
      {
        type: 'runs_as',
        source: 1,
        target: 0,
        count: 4,
        failed: 1,
        observedFrom: Date.parse('2026-07-30T08:01:11.402Z'),
        observedTo: null,
        samples: [{ UtcTime: '2026-07-30 08:01:11.402', Image: 'C:\\powershell.exe\u0000' }],
      },
    ],
    isTruncated: false,
    ...over,
  };
}

/** Jobs of two processes whose logs name something, and what is stored of them; `make` as for their contract. */
export function intelFixture(make: () => Promise<readonly [Ports, Ports]>, database: () => Database) {
  let both: readonly [Ports, Ports];
  const { running, begin } = jobFixture(async () => (both = await make())[0]);
  const rows = <T>(query: ReturnType<typeof sql>): Promise<T[]> => rowsOf<T>(database(), query);
  const all = () =>
    rows<{ type: string; value: string; job_count: number }>(
      sql`select type, value, job_count from entities order by value_key, type`,
    );
  const wrong = () => rows<object>(wrongCounts);

  /** A job that has ended, whose tasks found this. */
  async function ended(...found: readonly DerivedIntel[]): Promise<number> {
    return endedAs({}, found);
  }

  async function endedAs(over: object, found: readonly DerivedIntel[]): Promise<number> {
    const id = await running('claim', { job: over });
    const tasks = await begin(
      id,
      found.map((_, place) => `engine-${place}`),
    );
    for (const [place, task] of tasks.entries()) {
      const told = { findings: [finding()], derived: derived({ intel: found[place]! }) };
      await both[0].results.finishTask(task, outcome(told), at);
    }
    await moveJob(both[0], id, { from: 'running', to: 'completed', at, claim: 'claim' });
    return id;
  }

  return {
    /** The ports of both processes, once a test has begun. */
    processes: () => both,
    running,
    ended,
    endedAs,
    rows,
    all,
    wrong,
  };
}
