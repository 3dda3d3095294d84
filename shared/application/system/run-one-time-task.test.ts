import { expect, it } from 'vitest';
import type { OneTimeTask, OneTimeTasks } from '../ports/one-time-tasks.ts';
import { runOneTimeTask } from './run-one-time-task.ts';

/** Tasks that run until they are told how they end. */
function tasks() {
  const known = new Map<string, OneTimeTask>();
  const begun: string[] = [];
  const oneTimeTasks: OneTimeTasks = {
    list: async () => [...known.values()],
    begin: async (request, program) => {
      begun.push(`${program} for ${request}`);
      known.set(request, { request, state: 'runs', id: request, reason: null });
    },
  };
  const end = (request: string, state: 'done' | 'failed'): void =>
    void known.set(request, { request, state, id: request, reason: 'it ended' });
  return {
    ask: (request: string, program = 'v2') => runOneTimeTask({ oneTimeTasks }, { request, program }),
    begun,
    end,
  };
}

it('begins a task once, however often it is asked for, and tells how it ends', async () => {
  const { ask, begun, end } = tasks();
  expect([await ask('a'), await ask('a'), await ask('a')]).toEqual([null, null, null]);
  end('a', 'failed');
  expect(await ask('a')).toMatchObject({ state: 'failed', reason: 'it ended' });
  expect(await ask('a')).toMatchObject({ state: 'failed' });
  expect(begun).toEqual(['v2 for a']);
});

it('waits for one that another request has left running, as a deployment that ran out of time does', async () => {
  const { ask, begun, end } = tasks();
  await ask('deployment');
  expect(await ask('rollback', 'v1')).toBeNull();
  expect(begun).toEqual(['v2 for deployment']);
  end('deployment', 'done');
  expect(await ask('rollback', 'v1')).toBeNull();
  expect(begun).toEqual(['v2 for deployment', 'v1 for rollback']);
  end('rollback', 'done');
  expect(await ask('rollback')).toMatchObject({ state: 'done' });
});
