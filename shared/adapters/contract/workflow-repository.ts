import type { WorkflowRepository, WorkflowSeed } from '@svc/application/submissions/workflow-repository.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { taskOf } from '../testing/fake-engine.ts';

const seed = (over: Partial<WorkflowSeed> = {}): WorkflowSeed => ({
  name: 'Windows',
  description: 'All of it',
  logTypes: ['evtx'],
  isDefault: false,
  definition: 'tasks: [{tool: sigma-native, rules_path: sigma}]',
  ...over,
});

/** What every workflow repository does. `make` gives an empty one. */
export function workflowRepositoryContract(make: () => Promise<WorkflowRepository>): void {
  describe('workflows', () => {
    let workflows: WorkflowRepository;

    beforeEach(async () => {
      workflows = await make();
    });

    it('are added once, and listed by name', async () => {
      const seeds = [seed({ name: 'b', isDefault: true }), seed({ name: 'a' }), seed({ name: 'c', isDefault: true })];
      await workflows.seed(seeds);
      await workflows.seed(seeds);
      const all = await workflows.list();
      expect(all.map(({ name, isDefault }) => [name, isDefault])).toEqual([
        ['a', false],
        ['b', true],
        ['c', false],
      ]);
      expect(await workflows.get(all[1]?.id ?? 0)).toEqual(all[1]);
      expect(await workflows.get(999_999)).toBeNull();
    });

    it('follow their files under the same id', async () => {
      await workflows.seed([seed()]);
      const [before] = await workflows.list();
      await workflows.seed([seed({ description: 'More', logTypes: [] })]);
      const after = { ...before, description: 'More', logTypes: [], editedAt: expect.any(Date) };
      expect(await workflows.list()).toEqual([after]);
    });

    it('have tasks with every key filled in', async () => {
      const definition = JSON.stringify({
        tasks: [
          { tool: 'sigma-native', rules_path: ['a', 'b'], timeout: 1_000_000, max_finding_details: 3 },
          { tool: 'evtx-hunt', when_available: true, timeout: 'soon', threads: 2 },
        ],
      });
      await workflows.seed([seed({ definition })]);
      const [{ id } = { id: 0 }] = await workflows.list();
      expect(await workflows.tasks(id)).toEqual([
        taskOf('sigma-native', { rulesPaths: ['a', 'b'], timeout: 86_400, maxFindingDetails: 3 }),
        taskOf('evtx-hunt', { whenAvailable: true, threads: 2 }),
      ]);
    });

    it('name rule packs and what is wanted of them', async () => {
      const definition = `tasks:
  - { tool: sigma-native, packs: core, filters: { min_level: high, log_source: { product: Windows } } }
  - { tool: sigma-native, packs: [a, b], filters: { status: [stable, test], exclude: 0B1F4ED2, tags: attack.t1059 } }
  - { tool: sigma-native, packs: all }`;
      await workflows.seed([seed({ definition })]);
      const [{ id } = { id: 0 }] = await workflows.list();
      const { filters } = taskOf('sigma-native');
      const logSources = [{ product: 'windows' }];
      const narrow = { statuses: ['stable', 'test'], exclude: ['0b1f4ed2'], tags: ['attack.t1059'] };
      expect(await workflows.tasks(id)).toEqual([
        taskOf('sigma-native', { packs: ['core'], filters: { ...filters, minLevel: 'high', logSources } }),
        taskOf('sigma-native', { packs: ['a', 'b'], filters: { ...filters, ...narrow } }),
        taskOf('sigma-native'),
      ]);
    });

    it.each(['tasks: [{tool: x, filters: {levels: high}}]', 'tasks: []', 'tasks: [{rules_path: x}]', '{', ''])(
      'have none when the definition is %j',
      async (definition) => {
        await workflows.seed([seed({ definition })]);
        const [{ id } = { id: 0 }] = await workflows.list();
        expect(await workflows.tasks(id)).toEqual([]);
      },
    );
  });
}
