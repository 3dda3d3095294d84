import type { Happening, HappeningKind, NewHappening } from '@svc/contracts/happenings.ts';

/** Happenings that are delivered in one transaction, and the subjects that they are of, at most. */
export interface DeliveryLimits {
  readonly subjects: number;
  readonly happenings: number;
}

/**
 * The outbox: what has happened, in the order in which it was committed for each subject, and to whom it is still to
 * be delivered. It is only ever added to; what everybody has is removed after a while.
 */
export interface HappeningRepository {
  /**
   * Writes what happened, with a delivery for each consumer of its kind. For use within a transaction that holds the
   * subjects (by `hold`, or since it has written them), or their order could be another than that of the commits.
   */
  add(happenings: readonly NewHappening[], consumersOf: (kind: HappeningKind) => readonly string[]): Promise<void>;
  /**
   * What waits for a consumer, oldest first; until the transaction ends nobody else gets anything of these subjects.
   * Those of subjects that others deliver now, and of those whose first was postponed, are left out.
   */
  take(consumer: string, limits: DeliveryLimits): Promise<readonly Happening[]>;
  /** The consumer has them; part of the transaction in which it did what they are for. */
  settle(consumer: string, ids: readonly number[]): Promise<void>;
  /** Has a delivery that failed, and all later ones of its subject, wait: 10 s, then twice as long each time, at most 900 s. */
  postpone(consumer: string, id: number): Promise<void>;
  /** How many deliveries there are still to make. */
  waiting(): Promise<number>;
  /** Removes some that happened before this and that all consumers have; returns how many, 0 when there are no more. */
  removeSettled(before: Date): Promise<number>;
}
