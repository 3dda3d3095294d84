import { mispKind, severities, type Severity } from '@svc/domain';
import { v5 as uuid5 } from 'uuid';
import type { Indicator } from './indicators.ts';
import type { MispPart } from './misp-feed.ts';

/** How MISP counts threat levels: 1 is high. */
const threatLevels: Readonly<Record<Severity, string>> = {
  critical: '1',
  high: '1',
  medium: '2',
  low: '3',
  informational: '4',
};
/** Addresses that say nothing outside the network that they are of. */
const ofOwnNetwork: ReadonlySet<string> = new Set([
  'rfc1918',
  'cgnat',
  'loopback',
  'link_local',
  'multicast',
  'reserved',
  'private',
]);

export interface MispEvent {
  readonly uuid: string;
  readonly info: string;
  readonly at: Date;
  readonly indicators: readonly Indicator[];
  /** How far whoever looked into it has come. */
  readonly analysis?: 'ongoing' | 'completed';
  /** When it was last added to, for feeds that are fetched again. @default it is imported once */
  readonly changedAt?: Date;
}

/** Who says it, as events name their creators. */
const creator = { name: 'svc', uuid: uuid5('svc:misp:organisation', uuid5.URL) };

/** An event in MISP’s own format (misp-standard.org, MISP core format), to be imported. */
export function mispEvent({
  uuid,
  info,
  at,
  indicators,
  analysis = 'completed',
  changedAt,
}: MispEvent): Readonly<Record<string, unknown>> {
  const worst = severities.find((severity) => indicators.some((one) => one.severity === severity));
  return {
    Event: {
      uuid,
      info,
      distribution: '0',
      threat_level_id: worst === undefined ? '4' : threatLevels[worst],
      analysis: analysis === 'ongoing' ? '1' : '2',
      date: at.toISOString().slice(0, 10),
      published: changedAt !== undefined,
      ...(changedAt && { Orgc: creator, timestamp: seconds(changedAt), publish_timestamp: seconds(changedAt) }),
      Tag: [{ name: 'tlp:amber' }],
      Attribute: indicators.flatMap((indicator) => attribute(uuid, indicator)),
    },
  };
}

/** What names the event of a part of the feed. */
export function feedPart({ day, part }: Pick<MispPart, 'day' | 'part'>): Pick<MispEvent, 'uuid' | 'info'> {
  const info = `svc IOC feed ${day} (${part})`;
  return { info, uuid: feedEventId(info, new Date(`${day}T00:00:00Z`)) };
}

/** The same as manifests of feeds have it, but for its level, which MISP takes from the event. */
export function mispManifestEntry(part: MispPart) {
  const tags = [{ name: 'tlp:amber' }];
  const timestamp = seconds(part.lastSeenAt);
  return {
    Orgc: creator,
    Tag: tags,
    info: feedPart(part).info,
    date: part.day,
    analysis: '2',
    threat_level_id: '4',
    timestamp,
  };
}

function seconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}

/** One event for each day and title. */
export function feedEventId(info: string, at: Date): string {
  return uuid5(`svc:misp:feed:${info}:${at.toISOString().slice(0, 10)}`, uuid5.URL);
}

/** One event for each case, whatever its name. */
export function caseEventId(caseId: number): string {
  return uuid5(`svc:misp:case:${caseId}`, uuid5.URL);
}

function attribute(event: string, indicator: Indicator): Readonly<Record<string, unknown>>[] {
  const kind = mispKind(indicator);
  if (kind === null) return [];
  const { type, value, jobCount, lastSeenAt, isAllowlisted, attributeKeys, tags } = indicator;
  const isOwn = attributeKeys.some((key) => ofOwnNetwork.has(key));
  return [
    {
      uuid: uuid5(`svc:misp:attribute:${event}:${type}:${value}`, uuid5.URL),
      type: kind.type,
      category: kind.category,
      value,
      to_ids: kind.isIndicator && !isOwn && !isAllowlisted,
      comment: `Observed in ${jobCount} job(s)`,
      timestamp: seconds(lastSeenAt),
      ...(tags.length > 0 && { Tag: tags.map(({ name }) => ({ name })) }),
    },
  ];
}
