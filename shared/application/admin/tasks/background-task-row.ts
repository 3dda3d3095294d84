import type { BackgroundTask as BackgroundTaskRow } from '@svc/contracts';
import type { BackgroundTask } from '../../work/background-task-repository.ts';

/** A background task as administrators see it. */
export function toBackgroundTaskRow(task: BackgroundTask): BackgroundTaskRow {
  return {
    id: task.id,
    kind: task.kind,
    target_id: task.targetId,
    requested_by: task.requestedBy,
    status: task.status,
    detail: task.detail,
    error: task.errorMessage,
    created_at: task.createdAt.toISOString(),
    started_at: task.startedAt?.toISOString() ?? null,
    heartbeat_at: task.heartbeatAt?.toISOString() ?? null,
    finished_at: task.finishedAt?.toISOString() ?? null,
  };
}
