import { analysisOf, keyOf, readTask, type Task, type UnknownTask } from '@svc/contracts/tasks.ts';

/** A task as a message names it. */
export interface NamedTask {
  readonly task: Task | UnknownTask;
  readonly key: string;
  /** Of something that queues tasks without the ledger, as a schedule of AWS does. */
  readonly isBare: boolean;
}

/** What a message says: of an analysis the number of its job, as ever; else the key and the task. */
export function bodyOf(key: string, task: Task | UnknownTask): string {
  if (task.kind === 'run_analysis') return String(task.jobId);
  return JSON.stringify({ key, task: task.kind === 'unknown' ? task.stored : task });
}

/** Throws for a message that names no task: it is left where it is, and ends in the dead-letter queue. */
export function readBody(body: string | undefined): NamedTask {
  const said = parsed(body);
  if (typeof said === 'number' && Number.isSafeInteger(said) && said > 0) {
    const task = analysisOf(said);
    return { task, key: keyOf(task), isBare: false };
  }
  const { key, kind, task } = (said ?? {}) as { key?: unknown; kind?: unknown; task?: unknown };
  if (typeof key === 'string' && isTask(task)) return { task: readTask(task), key, isBare: false };
  // The schedules of the version before named them so.
  const bare = typeof task === 'string' ? { kind: task } : said;
  if (key === undefined && typeof (kind ?? task) === 'string') {
    const read = readTask(bare);
    return { task: read, key: read.kind === 'unknown' ? String(kind ?? task) : keyOf(read), isBare: true };
  }
  throw new Error(`a message of the queue names no task: ${body?.slice(0, 100)}`);
}

function isTask(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '') as unknown;
  } catch {
    return null;
  }
}
