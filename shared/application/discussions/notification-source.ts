import type { Actor, EntityType, NotificationStream, WatchEventKind } from '@svc/domain';

/** One line in the bell. */
export interface Notification {
  readonly stream: NotificationStream;
  readonly id: number;
  readonly at: Date;
  /** What it is about, but for the stream `case`. */
  readonly jobId?: number;
  /** Of the job, as its submitter named it; null when it was not named. */
  readonly fileName?: string | null;
  readonly sha256?: string;
  /** What it is about in the stream `case`. */
  readonly case?: { readonly id: number; readonly name: string };
  /** Of an alert: the rule, and what it matched where that is not the job. */
  readonly rule?: { readonly id: number; readonly name: string };
  readonly entity?: { readonly id: number; readonly type: EntityType; readonly value: string };
  /** Of a watch event, or of a comment on a case. */
  readonly event?: { readonly kind: WatchEventKind; readonly refId: number; readonly summary: string };
}

/** Where notifications of one stream come from. Jobs and cases that the viewer does not see count nowhere (resolved-platform 13.4). */
export interface NotificationSource {
  /** How many wait to be acknowledged. */
  unread(viewer: Actor): Promise<number>;
  /** Those, newest first. */
  newest(viewer: Actor, limit: number): Promise<readonly Notification[]>;
  /** One, or all with null; returns how many of the person's there were. */
  acknowledge(userId: string, id: number | null, at: Date): Promise<number>;
  /** Has what the person acknowledged at that moment wait again. */
  restore(userId: string, acknowledgedAt: Date): Promise<void>;
}
