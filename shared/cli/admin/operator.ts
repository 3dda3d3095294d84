import type { Doer } from '@svc/application/admin/activity/record-activity.ts';
import type { Actor } from '@svc/domain';

/** Who is at the machine has no account here, so that none is their own. */
export const operator: Actor = { kind: 'anonymous', ip: '127.0.0.1' };

/** As the activity log names whoever uses commands. */
export const doer: Doer = { actor: operator, label: 'system', requestId: '' };
