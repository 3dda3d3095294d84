import { FakeEngine, taskOf } from '@svc/adapters/testing/fake-engine.ts';
import type { WorkflowTask } from '@svc/domain';
import { expect, it } from 'vitest';
import type { EnabledEngines } from '../ports/detection-engine.ts';
import { chooseLane } from './choose-lane.ts';

const native = new FakeEngine();
const external = Object.assign(new FakeEngine('evtx-hunt'), { isBuiltIn: false });
const evtxOnly = Object.assign(new FakeEngine('evtx-timeline', new Set(['evtx'])), { isBuiltIn: false });

const withEngines = (...engines: FakeEngine[]): EnabledEngines => ({
  get: ({ tool }) => engines.find((engine) => engine.name === tool) ?? null,
});
const task = (tool: string, whenAvailable = false): WorkflowTask => taskOf(tool, { whenAvailable });

it.each<[string, WorkflowTask[], EnabledEngines, number, 'fast' | 'heavy']>([
  ['a small file and a built-in engine', [task('sigma-native')], withEngines(native), 100, 'fast'],
  ['a large file', [task('sigma-native')], withEngines(native), 101, 'heavy'],
  ['an external engine', [task('sigma-native'), task('evtx-hunt')], withEngines(native, external), 1, 'heavy'],
  ['one that is not enabled', [task('sigma-native'), task('evtx-hunt', true)], withEngines(native), 1, 'fast'],
  [
    'one that will be skipped for lack of it',
    [task('sigma-native'), task('evtx-hunt')],
    withEngines(native),
    1,
    'fast',
  ],
  ['one that cannot read the type', [task('evtx-timeline')], withEngines(native, evtxOnly), 1, 'fast'],
  ['no tasks, whose failure is quick', [], withEngines(native), 1, 'fast'],
])('with %s', (_case, tasks, engines, sizeBytes, lane) => {
  expect(chooseLane({ tasks, logType: 'json_evtx', sizeBytes }, engines, 100)).toBe(lane);
});
