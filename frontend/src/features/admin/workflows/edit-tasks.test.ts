import { expect, it } from 'vitest';
import { readTasks, withMoved, withoutTask, withTask, withValue } from './edit-tasks.ts';

const text = `tasks:
  # First of all
  - tool: sigma-native
    packs: all # whatever there is
    filters:
      min_level: high
  - tool: evtx-hunt
    threads: 2
`;

it('shows what a definition says', () => {
  const [first, second] = readTasks(text)!;
  expect(first).toMatchObject({ tool: 'sigma-native', packs: null, minLevel: 'high', others: [] });
  expect(second).toMatchObject({ tool: 'evtx-hunt', minLevel: '', others: ['threads'] });
});

it.each(['', 'tasks: [', 'tasks: 7', '- a'])('shows nothing of %j, and leaves it as it is', (bad) => {
  expect(readTasks(bad)).toBeNull();
  expect(withValue(bad, 0, ['tool'], 'a')).toBe(bad);
  expect(withTask(bad, 'a')).toBe(bad);
});

it('changes one value, and leaves comments and the rest', () => {
  const changed = withValue(text, 0, ['packs'], ['core', 'sigma']);
  expect(changed).toBe(text.replace('packs: all #', 'packs: [core, sigma] #'));
  expect(withValue(changed, 1, ['timeout'], 60)).toBe(`${changed}    timeout: 60\n`);
});

it('takes out what says nothing, and what is empty then', () => {
  expect(withValue(text, 0, ['filters', 'min_level'], '')).toBe(
    text.replace('    filters:\n      min_level: high\n', ''),
  );
  expect(withValue(text, 0, ['filters', 'status'], ['test'])).toContain('      status: [test]\n');
});

it('moves, adds and removes tasks', () => {
  expect(readTasks(withMoved(text, 1, -1))!.map(({ tool }) => tool)).toEqual(['evtx-hunt', 'sigma-native']);
  expect(readTasks(withTask('tasks: []', 'sigma-native'))).toMatchObject([{ tool: 'sigma-native' }]);
  expect(readTasks(withoutTask(text, 0))).toMatchObject([{ tool: 'evtx-hunt' }]);
});
