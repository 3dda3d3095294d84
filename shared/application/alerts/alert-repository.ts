import type { Actor, AlertRuleScope, EntityType } from '@svc/domain';
import type { NotificationSource } from '../discussions/notification-source.ts';

/** That a rule matched an entity of a job, or a job. */
export interface Alert {
  readonly id: number;
  readonly at: Date;
  readonly acknowledgedAt: Date | null;
  /** Account id; null for one that never waited, and of an account that is gone. */
  readonly acknowledgedBy: string | null;
  readonly rule: {
    readonly id: number;
    readonly name: string;
    readonly scope: AlertRuleScope;
    readonly query: string;
    readonly ownerId: string | null;
    readonly ownerEmail: string | null;
    readonly updatedAt: Date;
  };
  readonly jobId: number;
  readonly fileName: string | null;
  readonly sha256: string;
  /** Of a rule on entities. */
  readonly entity: { readonly id: number; readonly type: EntityType; readonly value: string } | null;
}

export interface AlertFilter {
  readonly ruleId: number | null;
  readonly entityId: number | null;
  /** Whether to leave out those that nobody has to acknowledge any more. */
  readonly isOpen: boolean;
  /** Whether those of all people are meant, which administrators may read. */
  readonly ofEverybody: boolean;
  readonly limit: number;
}

/**
 * Alerts of one kind (resolved-intel 14.1). They are the rule's owner's, those of shared rules the administrators'; of a job
 * that the reader does not see, there is none.
 */
export interface AlertRepository extends NotificationSource {
  /** The newest, and how many there are. */
  list(viewer: Actor, filter: AlertFilter): Promise<{ readonly total: number; readonly alerts: readonly Alert[] }>;
  get(viewer: Actor, id: number): Promise<Alert | null>;
  /** Acknowledges one of the viewer's, administrators also those of others; false when there is none. */
  acknowledgeOne(viewer: Actor, id: number, at: Date): Promise<boolean>;
}
