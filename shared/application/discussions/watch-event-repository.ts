import type { WatchEventKind } from '@svc/domain';
import type { NotificationSource } from './notification-source.ts';

/** Something that has happened to a job. */
export interface NewWatchEvent {
  readonly jobId: number;
  readonly kind: WatchEventKind;
  /** Tells it from others of its kind: what has the same is told once. */
  readonly refId: number;
  readonly summary: string;
  /** Account id of who did it, and is not told. */
  readonly by: string | null;
  readonly at: Date;
}

/** What watchers are told of their jobs, by whatever happens to these: the notifications of the stream `job`. */
export interface WatchEventRepository extends NotificationSource {
  /**
   * Tells those who watched the job then, at most 100, the earliest first: only those who see it, and of tags only
   * members. Returns the account ids of those who had not been told of it before.
   */
  raise(event: NewWatchEvent): Promise<readonly string[]>;
  /** Changes what was told of it. */
  reword(kind: WatchEventKind, refId: number, summary: string): Promise<void>;
  /** Nobody is told of it any more. */
  withdraw(kind: WatchEventKind, refId: number): Promise<void>;
  /** Acknowledges what has happened to one job; returns how many events there were. */
  acknowledgeJob(userId: string, jobId: number, at: Date): Promise<number>;
}
