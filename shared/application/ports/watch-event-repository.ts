import type { WatchEventKind } from '@svc/domain';
import type { NotificationSource } from './notification-source.ts';

/** Something that has happened to a job. */
export interface NewWatchEvent {
  readonly jobId: number;
  /** Tells it from others of its kind: what has the same is told once. */
  readonly refId: number;
  readonly summary: string;
}

export interface Telling {
  readonly kind: WatchEventKind;
  /** Account id of who did it, and is not told. */
  readonly by: string | null;
  readonly at: Date;
}

/** What watchers are told of their jobs: the notifications of the stream `job`. */
export interface WatchEventRepository extends NotificationSource {
  /**
   * Tells those who watch the jobs, at most 100 of each, the earliest first: only those who see it, and of tags only
   * members.
   */
  raise(events: readonly NewWatchEvent[], telling: Telling): Promise<void>;
  /** Acknowledges what has happened to one job; returns how many events there were. */
  acknowledgeJob(userId: string, jobId: number, at: Date): Promise<number>;
}
