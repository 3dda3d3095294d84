import { call, operations, type AdminEngine, type RequestOf } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import { callConfirmed } from './confirm-password.ts';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

const progressMs = 1500;

/** Engines; asked for again and again while a worker looks for one or makes its image. */
export const enginesQuery = queryOptions({
  ...operationQuery(operations.listEngines, {}),
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.engines.some(isBusy) ? progressMs : false),
});

/** Whether a worker has still to do something about it, or does. */
export function isBusy({ task }: AdminEngine): boolean {
  return task?.status === 'pending' || task?.status === 'running';
}

/** Changes what the site says of an engine. */
export async function changeEngine(change: RequestOf<typeof operations.changeEngine>): Promise<void> {
  await callConfirmed(operations.changeEngine, change);
  await invalidate(queryKey(operations.listEngines), queryKey(operations.listAdminWorkflows));
}

/** Has a worker look for an engine, or make its image. */
export async function runEngineTask(asked: RequestOf<typeof operations.runEngineTask>): Promise<void> {
  await call(operations.runEngineTask, asked);
  await invalidate(queryKey(operations.listEngines));
}
