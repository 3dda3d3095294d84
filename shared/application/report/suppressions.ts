import type { InputOf, operations, OutputOf, Suppression as SuppressionView } from '@svc/contracts';
import {
  AppError,
  canEditCase,
  hasRole,
  isInForce,
  notFound,
  suppressionLimits,
  type Actor,
  type Suppression,
} from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { visibleCase } from '../cases/visible-case.ts';
import type { Ports } from '../ports/ports.ts';
import { requestBackgroundTask, type RequestPorts } from '../work/request-background-task.ts';
import { visibleFinding } from './finding-evidence.ts';
import { suppressedOf, type MarkPorts } from './mark-suppressed.ts';
import type { SuppressionHits } from './suppression-repository.ts';

type ListPorts = Pick<Ports, 'cases' | 'clock' | 'suppressedFindings' | 'suppressions'>;

/** What is suppressed in the instance, or in a case that the actor sees, and how often each has hit. */
export async function listSuppressions(
  ports: ListPorts,
  actor: Actor,
  { case_id: caseId }: InputOf<typeof operations.listSuppressions>,
): Promise<OutputOf<typeof operations.listSuppressions>> {
  const mayChange = await changes(ports, actor, caseId ?? null);
  const found = await ports.suppressions.list(caseId ?? null);
  const hits = await ports.suppressedFindings.hits(
    actor,
    found.map(({ id }) => id),
  );
  const viewer = { actor, mayChange, now: ports.clock.now() };
  return { suppressions: found.map((one) => toView(one, hits.get(one.id), viewer)), can_add: mayChange };
}

/** What a suppression would do to findings that the actor may see. */
export async function previewSuppression(
  ports: Pick<Ports, 'cases' | 'clock' | 'suppressedFindings'> & Omit<MarkPorts, 'transaction'>,
  actor: Actor,
  { rule_id: ruleId, case_id: caseId, conditions }: InputOf<typeof operations.previewSuppression>,
): Promise<OutputOf<typeof operations.previewSuppression>> {
  if (caseId !== null) await visibleCase(ports, actor, caseId);
  const asked = { id: 0, caseId, conditions };
  const { findings, total } = await ports.findings.newestOfRule(actor, ruleId, {
    caseId,
    most: suppressionLimits.looked,
  });
  const jobs = new Set<number>();
  const seen = { whole: 0, partly: 0, unknown: 0, events: 0 };
  for (const finding of findings) {
    const told = await suppressedOf(ports, finding, [asked]);
    const events = told?.[0]?.events ?? 0;
    if (told === null) seen.unknown += 1;
    if (events === 0) continue;
    seen[events >= finding.count ? 'whole' : 'partly'] += 1;
    seen.events += events;
    jobs.add(finding.jobId);
  }
  return { findings: total, looked: findings.length, ...seen, jobs: jobs.size };
}

/** Suppresses matches of a rule; findings that are there are marked by a task. */
export async function addSuppression(
  ports: ListPorts & RequestPorts & Pick<Ports, 'findings' | 'jobs'>,
  actor: Actor,
  input: InputOf<typeof operations.addSuppression>,
): Promise<OutputOf<typeof operations.addSuppression>> {
  const { userId, email } = signedIn(actor);
  const { case_id: caseId, rule_id: ruleId, rule_name: ruleName, reason, conditions } = input;
  if (!(await changes(ports, actor, caseId))) throw refused(caseId);
  const now = ports.clock.now();
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at);
  if (expiresAt !== null && expiresAt <= now) throw new AppError('bad_request', 'expires_at: must be in the future');
  const isPrivate = input.finding_id !== undefined && (await isOfPrivateJob(ports, actor, input.finding_id));
  const written = { caseId, ruleId, ruleName, conditions, reason, isPrivate, authorId: userId };
  const id = await ports.suppressions.add({ ...written, createdAt: now, expiresAt });
  await requestBackgroundTask(ports, { kind: 'apply_suppression', targetId: id, requestedBy: email });
  const added = await ports.suppressions.get(id);
  if (added === null) throw notFound('suppression');
  return { suppression: toView(added, undefined, { actor, mayChange: true, now }) };
}

/** Takes one back, where the actor may. */
export async function removeSuppression(
  ports: ListPorts & RequestPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.removeSuppression>,
): Promise<void> {
  const { email } = signedIn(actor);
  const found = await ports.suppressions.get(id);
  if (found === null) throw notFound('suppression');
  const mayChange = await changes(ports, actor, found.caseId).catch((error: unknown) => {
    // A case that is not for the caller has nothing.
    throw error instanceof AppError && error.code === 'case_not_found' ? notFound('suppression') : error;
  });
  if (!mayChange) throw refused(found.caseId);
  if (!(await ports.suppressions.remove(id, ports.clock.now()))) return;
  await requestBackgroundTask(ports, { kind: 'apply_suppression', targetId: id, requestedBy: email });
}

/** Whether the actor may change what is suppressed there; throws `case_not_found` for a case that they do not see. */
async function changes(ports: Pick<Ports, 'cases'>, actor: Actor, caseId: number | null): Promise<boolean> {
  return caseId === null ? hasRole(actor, 'admin') : canEditCase(await visibleCase(ports, actor, caseId), actor);
}

function refused(caseId: number | null): AppError {
  return new AppError(
    'forbidden',
    caseId === null
      ? 'What is suppressed in the whole instance is decided by administrators; a case has suppressions of its own'
      : 'Only the owner of the case, those named on it and administrators may suppress findings in it',
  );
}

async function isOfPrivateJob(
  ports: Pick<Ports, 'findings' | 'jobs'>,
  actor: Actor,
  findingId: number,
): Promise<boolean> {
  const { jobId } = await visibleFinding(ports, actor, findingId);
  return (await ports.jobs.get(jobId))?.job.isPrivate ?? true;
}

function toView(
  one: Suppression,
  hits: SuppressionHits | undefined,
  { actor, mayChange, now }: { readonly actor: Actor; readonly mayChange: boolean; readonly now: Date },
): SuppressionView {
  const isHidden = one.isPrivate && !hasRole(actor, 'admin') && !isOwn(one, actor);
  return {
    id: one.id,
    case_id: one.caseId,
    rule_id: one.ruleId,
    rule_name: one.ruleName,
    conditions: isHidden ? null : one.conditions.map((condition) => ({ ...condition })),
    reason: isHidden ? null : one.reason,
    author: one.author && { ...one.author },
    created_at: one.createdAt.toISOString(),
    expires_at: one.expiresAt?.toISOString() ?? null,
    state: stateOf(one, now),
    hits: {
      findings: hits?.findings ?? 0,
      events: hits?.events ?? 0,
      jobs: hits?.jobs ?? 0,
      last_at: hits?.lastAt.toISOString() ?? null,
    },
    can_remove: mayChange && one.removedAt === null,
  };
}

function isOwn({ author }: Suppression, actor: Actor): boolean {
  return actor.kind === 'account' && author?.id === actor.userId;
}

function stateOf(one: Suppression, now: Date): SuppressionView['state'] {
  if (one.removedAt !== null) return 'removing';
  if (!isInForce(one, now)) return 'expired';
  return one.appliedAt === null ? 'applying' : 'active';
}
