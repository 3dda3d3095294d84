import type { InputOf, operations } from '@svc/contracts';
import { AppError, stixPattern, type Actor, type FeedFormat } from '@svc/domain';
import { createHash } from 'node:crypto';
import { readCursor, writtenCursor } from '../intel/entity-cursor.ts';
import { planEntitySearch } from '../intel/plan-entity-search.ts';
import type { Ports } from '../ports/ports.ts';
import { csvLine } from '../report/shown/csv.ts';
import { indicatorsOf } from './find-indicators.ts';
import type { Indicator } from './indicators.ts';
import { feedEventId, mispEvent } from './misp.ts';
import { bundle, identity, indicatorObject } from './stix.ts';

/** A page of the feed. */
export interface IocFeed {
  readonly bytes: Uint8Array;
  /** The same while the page says the same. */
  readonly tag: string;
  /** Since which second the page says this to the viewer; null after two changes within one second. */
  readonly since: Date | null;
  /** Cursor of the page behind it; null for the last. */
  readonly next: string | null;
}

/**
 * Entities as indicators, last seen first (resolved-intel 18). Throws `bad_request` with what of `q` cannot be used: a feed
 * that leaves it out would say more than it was asked for.
 */
export async function getIocFeed(
  ports: Pick<Ports, 'clock' | 'entities' | 'entityBlame' | 'entityLists' | 'feedPages' | 'jobViews' | 'ruleLists'>,
  viewer: Actor,
  { format, types, since, limit, cursor, ...asked }: InputOf<typeof operations.getIocFeed>,
): Promise<IocFeed> {
  const now = ports.clock.now();
  const filters = {
    q: asked.q,
    types,
    tags: asked.tags,
    since: since ?? null,
    minJobs: asked.min_jobs,
    isWatched: asked.watchlist,
    hidesAllowlisted: !asked.include_allowlisted,
    job: null,
  };
  const plan = await planEntitySearch(ports, viewer, filters, now);
  const [notice] = plan.notices;
  if (notice !== undefined) throw new AppError('bad_request', `q: ${notice}`);
  const place = { page: 1, per: limit, cursor: readCursor(cursor) };
  const order = { by: 'last_seen', isReversed: false, foldsAliases: false } as const;
  const found = await ports.entityLists.page(viewer, plan.search, place, order);
  const indicators = await indicatorsOf(ports, viewer, found.entities);
  const next = writtenCursor(found.older);
  // Not of the bytes: a bundle has another id each time.
  const tag = digestOf([format, next, indicators.map(toRow)]);
  const reader = viewer.kind === 'account' ? viewer.userId : null;
  const page = digestOf([reader, format, types, since ?? null, limit, cursor ?? null, asked]);
  const changed = await ports.feedPages.unchangedSince(page, tag, now);
  return {
    bytes: new TextEncoder().encode(written[format](indicators, now)),
    tag,
    since: changed > now ? null : changed,
    next,
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

const written: Readonly<Record<FeedFormat, (indicators: readonly Indicator[], now: Date) => string>> = {
  json: (indicators) => JSON.stringify(indicators.map(toRow)),
  csv: (indicators) => [columns, ...indicators.map((one) => Object.values(toRow(one)))].map(csvLine).join(''),
  stix: (indicators) => JSON.stringify(bundle([identity, ...indicators.flatMap((one) => indicatorObject(one) ?? [])])),
  misp: (indicators, at) => {
    const info = 'svc IOC feed export';
    return JSON.stringify(mispEvent({ uuid: feedEventId(info, at), info, at, indicators }));
  },
};

const columns = [
  'value',
  'type',
  'first_seen',
  'last_seen',
  'job_count',
  'threat_categories',
  'max_severity',
  'tags',
  'stix_pattern',
] as const;

/** In the order of the columns. */
function toRow(indicator: Indicator): Readonly<Record<(typeof columns)[number], string | number>> {
  return {
    value: indicator.value,
    type: indicator.type,
    first_seen: indicator.firstSeenAt.toISOString(),
    last_seen: indicator.lastSeenAt.toISOString(),
    job_count: indicator.jobCount,
    threat_categories: indicator.categories.join(';'),
    max_severity: indicator.severity ?? '',
    tags: indicator.tags.map(({ name }) => name).join(';'),
    stix_pattern: stixPattern(indicator) ?? '',
  };
}
