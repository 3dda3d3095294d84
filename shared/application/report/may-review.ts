import { canView, hasRole, type Account, type Job } from '@svc/domain';

/** Whether an account may decide about the findings of a job: members who see it. */
export function mayReview(job: Job, { id, email, role, isActive }: Account): boolean {
  const actor = { kind: 'account', userId: id, email, role, ip: '' } as const;
  return isActive && hasRole(actor, 'member') && canView(job, actor);
}
