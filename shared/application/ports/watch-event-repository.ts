import type { NotificationSource } from './notification-source.ts';

/** What watchers are told of their jobs, by whatever happens to these: the notifications of the stream `job`. */
export interface WatchEventRepository extends NotificationSource {
  /** Acknowledges what has happened to one job; returns how many events there were. */
  acknowledgeJob(userId: string, jobId: number, at: Date): Promise<number>;
}
