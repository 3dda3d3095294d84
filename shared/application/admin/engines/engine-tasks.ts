import { hostname } from 'node:os';
import { AppError, numberedEngine, type EngineProgram, type ExternalEngine } from '@svc/domain';
import type { EngineFound } from '../../ports/engine-runner.ts';
import { EngineFailure } from '../../ports/detection-engine.ts';
import type { Ports } from '../../ports/ports.ts';
import type { BackgroundTask } from '../../work/background-task-repository.ts';

export type EngineTaskPorts = Pick<Ports, 'backgroundTasks' | 'clock' | 'engineRunner' | 'engineSettings' | 'log'>;

/** Of what is said meanwhile the end is kept, in characters. */
const mostLog = 16_384;
/** Between two notes of how far it is. */
const noteMs = 1000;

/** Looks for an engine on this machine; the sentence that it ends with. */
export async function testEngine(ports: EngineTaskPorts, task: BackgroundTask): Promise<string> {
  const { engine, program } = await asked(ports, task);
  return note(ports, engine, await ports.engineRunner.find(engine, program), '');
}

/** Pulls or builds the image of an engine, and tells meanwhile what is said; the sentence that it ends with. */
export async function prepareEngineImage(
  ports: EngineTaskPorts,
  task: BackgroundTask,
  stop: AbortSignal,
): Promise<string> {
  const { engine, program } = await asked(ports, task);
  if (program === null || program.kind === 'path') {
    throw new AppError('bad_request', 'The settings of this engine name no image any more');
  }
  const cancel = new AbortController();
  const progress = progressOf(ports, task, () => cancel.abort(new AppError('conflict', 'The task was stopped')));
  try {
    await ports.engineRunner.prepare(program, progress.said, AbortSignal.any([stop, cancel.signal]));
  } catch (error) {
    if (error instanceof EngineFailure) await note(ports, engine, { missing: error.message }, progress.log());
    throw error;
  } finally {
    await progress.settled();
  }
  return note(ports, engine, await ports.engineRunner.find(engine, program), progress.log());
}

async function asked(
  { engineSettings }: EngineTaskPorts,
  { targetId }: BackgroundTask,
): Promise<{ readonly engine: ExternalEngine; readonly program: EngineProgram | null }> {
  const engine = numberedEngine(targetId);
  if (engine === null) throw new AppError('not_found', 'There is no such engine');
  return { engine, program: (await engineSettings.all()).get(engine)?.program ?? null };
}

/** Keeps what was found; a task that found nothing has failed. */
async function note(
  { clock, engineSettings }: EngineTaskPorts,
  engine: ExternalEngine,
  found: EngineFound,
  log: string,
): Promise<string> {
  await engineSettings.noteSeen(engine, { found, at: clock.now(), on: hostname(), log });
  if ('missing' in found) throw new EngineFailure(found.missing);
  return `${found.version === null ? 'found' : `version ${found.version}`} at ${found.at}`;
}

/** Notes the last line that was said, not more often than every second; `onStopped` when the task was ended meanwhile. */
function progressOf(ports: EngineTaskPorts, { id }: BackgroundTask, onStopped: () => void) {
  const { backgroundTasks, clock, log } = ports;
  let text = '';
  let noted = 0;
  let writing = Promise.resolve();
  const said = (piece: string): void => {
    text = `${text}${piece}`.slice(-mostLog);
    const now = clock.now().getTime();
    if (now - noted < noteMs) return;
    noted = now;
    const detail = text.trimEnd().split('\n').at(-1)?.slice(0, 500) ?? '';
    writing = noteAfter(writing, detail);
  };
  const noteAfter = async (before: Promise<void>, detail: string): Promise<void> => {
    await before;
    try {
      if (!(await backgroundTasks.progress(id, { cursor: 0, detail }, clock.now()))) onStopped();
    } catch (error) {
      log.warn('how far an image is could not be noted', { error });
    }
  };
  return { said, log: () => text, settled: () => writing };
}
