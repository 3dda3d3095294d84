import type { PeriodicKind } from '@svc/contracts/tasks.ts';

/** When periodic tasks run. */
export interface Schedules {
  /** All of them, with the first time of each after this. */
  after(at: Date): readonly { readonly kind: PeriodicKind; readonly label: string; readonly nextRun: Date }[];
}
