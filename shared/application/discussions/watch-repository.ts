import type { Actor } from '@svc/domain';

export interface Watch {
  readonly jobId: number;
  readonly since: Date;
  /** Events that the watcher sees and has not acknowledged. */
  readonly unread: number;
}

/** Who watches which job. Account ids are of the watchers. */
export interface WatchRepository {
  has(userId: string, jobId: number): Promise<boolean>;
  /** Begins to watch, if it is not so; false when the person watches as many jobs as one can, or the job is gone. */
  begin(userId: string, jobId: number, at: Date): Promise<boolean>;
  /** Ends it, with all its events; false when there was none. */
  end(userId: string, jobId: number): Promise<boolean>;
  /** What the viewer watches and sees, most unread first, then the newest watch. */
  list(viewer: Actor): Promise<readonly Watch[]>;
}
