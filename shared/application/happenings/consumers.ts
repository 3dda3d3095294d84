import type { HappeningKind } from '@svc/contracts/happenings.ts';

/** Who wants to know of what; how each goes about it is in `handlers.ts`. A name, once used, is kept. */
export const consumers = {
  alert_rules: ['job_finished', 'entities_stored'],
  case_people: ['commented', 'comment_edited', 'comment_deleted'],
  watches: ['commented', 'comment_edited', 'comment_deleted', 'tagged', 'ai_run_ended'],
} as const satisfies Record<string, readonly HappeningKind[]>;
export type Consumer = keyof typeof consumers;

/** Those that want to know of this kind. */
export function consumersOf(kind: HappeningKind): readonly Consumer[] {
  const names = Object.keys(consumers) as Consumer[];
  return names.filter((name) => (consumers[name] as readonly HappeningKind[]).includes(kind));
}
