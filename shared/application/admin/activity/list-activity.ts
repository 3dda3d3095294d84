import type { ActivityEvent, InputOf, operations, OutputOf } from '@svc/contracts';
import { activityLimits, type Activity } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { csvLine } from '../../report/shown/csv.ts';
import type { ActivityFilter } from './activity-log.ts';

type Asked = InputOf<typeof operations.exportActivityJson>;
type ActivityPorts = Pick<Ports, 'activityLog' | 'clock'>;

const hours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const;
const hourMs = 3_600_000;

/** A page of what people have done, newest first; the number of a page beyond the last is that of the last. */
export async function listActivity(
  { activityLog, clock, deployment, settings }: ActivityPorts & Pick<Ports, 'deployment' | 'settings'>,
  { page: asked, ...filters }: InputOf<typeof operations.listActivity>,
): Promise<OutputOf<typeof operations.listActivity>> {
  const filter = filterOf(filters, clock.now());
  const at = (page: number) =>
    activityLog.list(filter, { offset: (page - 1) * activityLimits.page, limit: activityLimits.page });
  let found = await at(asked);
  const pages = Math.max(1, Math.ceil(found.total / activityLimits.page));
  const page = Math.min(asked, pages);
  if (page < asked) found = await at(page);
  return {
    events: found.rows.map(eventOf),
    total: found.total,
    page,
    total_pages: pages,
    filters: givenOf(filters),
    capture_enabled: (await settings.current()).activityLogEnabled,
    retention_days: deployment.retentionDays.activity,
    last_hour: await lastHour({ activityLog, clock }),
  };
}

/** The newest rows, and how many the last hour has brought. */
export async function activityOverview(
  ports: ActivityPorts,
  limit: number,
): Promise<{ readonly events: ActivityEvent[]; readonly lastHour: number }> {
  const [{ rows }, ofHour] = await Promise.all([ports.activityLog.list({}, { offset: 0, limit }), lastHour(ports)]);
  return { events: rows.map(eventOf), lastHour: ofHour };
}

function lastHour({ activityLog, clock }: ActivityPorts): Promise<number> {
  return activityLog.count(new Date(clock.now().getTime() - hourMs));
}

/** The newest of them, as many as an export has. */
export async function exportActivityJson(
  { activityLog, clock }: ActivityPorts,
  filters: Asked,
): Promise<OutputOf<typeof operations.exportActivityJson>> {
  const now = clock.now();
  const { rows, total } = await newest({ activityLog, clock }, filters);
  return {
    generated_at: now.toISOString(),
    count: rows.length,
    truncated: total > rows.length,
    filters: givenOf(filters),
    events: rows.map(eventOf),
  };
}

/** The same as CSV in UTF-8 (resolved-platform 17). */
export async function exportActivityCsv(ports: ActivityPorts, filters: Asked): Promise<Uint8Array> {
  const { rows } = await newest(ports, filters);
  const lines = rows.map((row) => [
    row.at.toISOString(),
    row.actorLabel,
    row.actorIp,
    row.action,
    row.category,
    row.targetType,
    row.targetId,
    row.outcome,
    row.summary,
    row.requestId,
  ]);
  return new TextEncoder().encode([columns, ...lines].map(csvLine).join(''));
}

const columns = [
  'timestamp',
  'actor',
  'actor_ip',
  'action',
  'category',
  'target_type',
  'target_id',
  'outcome',
  'summary',
  'request_id',
] as const;

/** The ends of the chains, oldest day first. */
export async function listActivityHeads({
  activityLog,
  clock,
}: ActivityPorts): Promise<OutputOf<typeof operations.listActivityHeads>> {
  const days = await activityLog.days();
  return {
    generated_at: clock.now().toISOString(),
    heads: days.map(({ day, rows, previous, head, isPruned }) => ({ day, rows, previous, head, pruned: isPruned })),
  };
}

function newest({ activityLog, clock }: ActivityPorts, filters: Asked) {
  return activityLog.list(filterOf(filters, clock.now()), { offset: 0, limit: activityLimits.exported });
}

function filterOf({ category, action, actor, target, outcome, q, range }: Asked, now: Date): ActivityFilter {
  return {
    ...(category && { category }),
    ...(action !== '' && { action }),
    ...(actor !== '' && { actor }),
    ...(target !== '' && { target }),
    ...(outcome && { outcome }),
    ...(q !== '' && { q }),
    ...(range && { since: new Date(now.getTime() - hours[range] * hourMs) }),
  };
}

function givenOf(filters: Asked): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function eventOf(row: Activity): ActivityEvent {
  return {
    id: row.id,
    timestamp: row.at.toISOString(),
    action: row.action,
    category: row.category,
    outcome: row.outcome,
    actor: { label: row.actorLabel, user_id: row.actorId, ip: row.actorIp },
    target: row.targetType === null || row.targetId === null ? null : { type: row.targetType, id: row.targetId },
    summary: row.summary,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
    request_id: row.requestId,
  };
}
