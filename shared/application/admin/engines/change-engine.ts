import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, engineNumber, type Actor, type ExternalEngine } from '@svc/domain';
import type { BackgroundKind } from '../../work/background-task-repository.ts';
import { requestBackgroundTask, type RequestPorts } from '../../work/request-background-task.ts';
import { addressOf } from '../tasks/change-background-task.ts';
import { adminEngine, type ListEnginePorts } from './list-engines.ts';

type ChangePorts = ListEnginePorts & RequestPorts;

/** Changes what the site says of an engine, which every process goes by from its next plan on, and has a worker look for it. */
export async function changeEngine(
  ports: ChangePorts,
  actor: Actor,
  { name, enabled, program }: InputOf<typeof operations.changeEngine>,
): Promise<OutputOf<typeof operations.changeEngine>> {
  const change = { ...(enabled !== undefined && { enabled }), ...(program !== undefined && { program }) };
  await ports.engineSettings.change(name, change);
  // One that is switched off need not be there.
  if (enabled !== false) await begin(ports, actor, 'test_engine', name);
  return adminEngine(ports, name);
}

/** Has a worker look for an engine, or have its image there. */
export async function runEngineTask(
  ports: ChangePorts,
  actor: Actor,
  { name, what }: InputOf<typeof operations.runEngineTask>,
): Promise<OutputOf<typeof operations.runEngineTask>> {
  if (what === 'test') return begin(ports, actor, 'test_engine', name);
  const program = (await ports.engineSettings.all()).get(name)?.program ?? null;
  if (program === null || program.kind === 'path') {
    throw new AppError('bad_request', 'The settings of this engine name no image and no Dockerfile');
  }
  return begin(ports, actor, 'prepare_engine_image', name);
}

function begin(ports: RequestPorts, actor: Actor, kind: BackgroundKind, name: ExternalEngine) {
  return requestBackgroundTask(ports, { kind, targetId: engineNumber(name), requestedBy: addressOf(actor) });
}
