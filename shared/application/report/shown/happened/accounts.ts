import type { Analytics } from '@svc/contracts';
import type { ReportFacts } from './what-happened.ts';

/** The accounts that matched events name; null where entities are not shown. */
export function accountsOf({ frequent, users, events_capped: isPart }: Analytics): ReportFacts['accounts'] {
  return frequent && users ? { frequent: frequent.user, total: users.length, isPart } : null;
}
