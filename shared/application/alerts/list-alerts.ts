import type { Alert as AlertView, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, fallbackName, hasRole, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Alert } from './alert-repository.ts';

const shown = 100;

/** The newest alerts of each kind that the actor may read. */
export async function listAlerts(
  { entityAlerts, jobAlerts }: Pick<Ports, 'entityAlerts' | 'jobAlerts'>,
  actor: Actor,
  { rule, entity, all, everybody: ofEverybody }: InputOf<typeof operations.listAlerts>,
): Promise<OutputOf<typeof operations.listAlerts>> {
  if (ofEverybody && !hasRole(actor, 'admin'))
    throw new AppError('forbidden', 'The alerts of everybody are for administrators');
  const filter = { ruleId: rule ?? null, entityId: entity ?? null, isOpen: !all, ofEverybody, limit: shown };
  const present = (alert: Alert) => presented(alert, ofEverybody);
  const [ofEntities, ofJobs] = [await entityAlerts.list(actor, filter), await jobAlerts.list(actor, filter)];
  return {
    entities: { total: ofEntities.total, alerts: ofEntities.alerts.map(present) },
    jobs: { total: ofJobs.total, alerts: ofJobs.alerts.map(present) },
  };
}

function presented(
  { id, at, acknowledgedAt, rule, jobId, fileName, sha256, entity }: Alert,
  namesOwner: boolean,
): AlertView {
  return {
    id,
    at: at.toISOString(),
    acknowledged_at: acknowledgedAt?.toISOString() ?? null,
    rule: {
      id: rule.id,
      name: rule.name,
      is_shared: rule.ownerId === null,
      ...(namesOwner && rule.ownerEmail !== null && { owner: rule.ownerEmail }),
    },
    job: { id: jobId, filename: fileName ?? fallbackName(sha256) },
    ...(entity && { entity }),
  };
}
