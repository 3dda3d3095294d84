import {
  activityLimits,
  actorLabel,
  categoryOf,
  type Actor,
  type Deed,
  type NewActivity,
  type SiteSettings,
} from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { batched } from './batched.ts';

/** Who did something, and in which request. */
export interface Doer {
  readonly actor: Actor;
  /** In place of what the actor is called. */
  readonly label?: string;
  /** Empty for what no request has caused. */
  readonly requestId: string;
}

/**
 * Writes down what was done, where the site records such things (service 6.4). Never throws: what was done stays done,
 * and the log of the process says what could not be written.
 * @param policy - the settings in force when it began
 */
export async function recordActivity(
  ports: Pick<Ports, 'activityLog' | 'clock' | 'log'>,
  doer: Doer,
  policy: Pick<SiteSettings, 'activityLogEnabled' | 'activityCategories'>,
  deed: Deed,
): Promise<void> {
  if (!isRecorded(policy, deed)) return;
  try {
    await batched(ports.activityLog, rowOf(deed, doer, ports.clock.now()));
  } catch (error) {
    ports.log.error('activity could not be written', { action: deed.action, error });
  }
}

function isRecorded(
  { activityLogEnabled, activityCategories: chosen }: Pick<SiteSettings, 'activityLogEnabled' | 'activityCategories'>,
  { action }: Deed,
): boolean {
  if (!activityLogEnabled) return false;
  return chosen === null || chosen.length === 0 || chosen.includes(categoryOf(action));
}

function rowOf(
  { action, by, target, summary, metadata, outcome = 'success' }: Deed,
  doer: Doer,
  at: Date,
): NewActivity {
  const { actor, label = by ?? actorLabel(actor), requestId } = doer;
  return {
    at,
    actorId: actor.kind === 'account' ? actor.userId : null,
    actorLabel: kept(label, activityLimits.label),
    actorIp: actor.ip,
    action: kept(action, activityLimits.action),
    category: categoryOf(action),
    targetType: target === undefined ? null : kept(target[0], activityLimits.targetType),
    targetId: target === undefined ? null : kept(String(target[1]), activityLimits.targetId),
    outcome,
    summary: kept(summary, activityLimits.summary),
    metadata: metadata === undefined ? null : shortened(metadata),
    requestId: kept(requestId, activityLimits.requestId),
  };
}

/** As the database keeps it to the letter, since its hash is made of it. */
function kept(text: string, most: number): string {
  // oxlint-disable-next-line no-control-regex -- NUL is what PostgreSQL refuses
  return text.slice(0, most).replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}

/** As JSON; of what is too long, the names of its fields. */
function shortened(metadata: Readonly<Record<string, unknown>>): string {
  // JSON writes what the database cannot keep as escapes.
  const text = JSON.stringify(metadata);
  if (text.length <= activityLimits.metadata) return text;
  return JSON.stringify({ cut: true, fields: Object.keys(metadata).slice(0, 50) });
}
