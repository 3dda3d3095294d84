import { mispKind, stixPattern, type EntityType } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import type { Indicator } from './indicators.ts';
import { feedEventId, mispEvent } from './misp.ts';
import { identity, indicatorId, indicatorObject, relationshipObject, sightingObject } from './stix.ts';

const [first, last] = [new Date('2026-07-30T08:02:00Z'), new Date('2026-08-01T10:00:00Z')];
const indicator = (type: EntityType, value: string, rest: Partial<Indicator> = {}): Indicator => ({
  id: 1,
  type,
  value,
  firstSeenAt: first,
  lastSeenAt: last,
  jobCount: 3,
  isAllowlisted: false,
  attributeKeys: [],
  tags: [],
  severity: null,
  categories: [],
  ...rest,
});

describe('a pattern', () => {
  it.each<[EntityType, string, string | null]>([
    ['ip_address', '10.0.0.1', "[ipv4-addr:value = '10.0.0.1']"],
    ['ip_address', 'fe80::1', "[ipv6-addr:value = 'fe80::1']"],
    ['executable', "it's.exe", String.raw`[file:name = 'it\'s.exe']`],
    ['user', 'CORP\\alice', String.raw`[user-account:account_login = 'CORP\\alice']`],
    ['hash', 'a'.repeat(40), `[file:hashes.'SHA-1' = '${'a'.repeat(40)}']`],
    ['hash', 'abc', null],
    ['service', 'Spooler', "[process:extensions.'windows-service-ext'.service_name = 'Spooler']"],
  ])('finds the %s %s', (type, value, pattern) => {
    expect(stixPattern({ type, value })).toBe(pattern);
  });
});

describe('STIX objects', () => {
  // From resolved-intel 17.2.
  it('have the ids that the specification gives', () => {
    const object = indicatorObject(
      indicator('domain', 'evil.example', { severity: 'high', categories: ['suspicious_network'] }),
    );
    expect(identity.id).toBe('identity--23be2008-4828-5f54-b00c-858e1f578cd7');
    expect(object).toMatchObject({
      id: 'indicator--df690bfa-eed6-554a-b85e-0e1aa9f46885',
      created: '2026-07-30T08:02:00.000Z',
      modified: '2026-08-01T10:00:00.000Z',
      labels: ['domain', 'severity:high', 'suspicious_network'],
      created_by_ref: identity.id,
    });
  });

  it('are not made of what no pattern finds', () => {
    expect(indicatorObject(indicator('hash', 'abc'))).toBeNull();
  });

  it('have an id of their own for each job, pair and kind, the same each time', () => {
    const [a, b] = [indicator('user', 'a'), indicator('computer', 'b', { id: 2 })];
    const ids = [
      ...[1, 2].map((jobId) => sightingObject(a, { jobId, at: first, events: 2 }).id),
      ...([null, 'runs_on', 'runs_as'] as const).map((kind) => relationshipObject({ source: a, target: b, kind }).id),
      relationshipObject({ source: b, target: a, kind: null }).id,
      indicatorId(a),
      indicatorId({ ...a, type: 'computer' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(relationshipObject({ source: a, target: b, kind: 'runs_on' })).toEqual(
      relationshipObject({ source: a, target: b, kind: 'runs_on' }),
    );
  });
});

describe('a MISP event', () => {
  it('detects by what is foreign, and names the rest', () => {
    const event = mispEvent({
      uuid: feedEventId('feed', last),
      info: 'feed',
      at: last,
      indicators: [
        indicator('ip_address', '203.0.113.9', { attributeKeys: ['public'], severity: 'medium' }),
        indicator('ip_address', '10.0.0.1', { attributeKeys: ['rfc1918', 'private'] }),
        indicator('user', 'alice'),
        indicator('domain', 'ours.example', { isAllowlisted: true }),
        indicator('hash', 'abc'),
      ],
    });
    expect(event).toMatchObject({
      Event: {
        threat_level_id: '2',
        date: '2026-08-01',
        Attribute: [
          { type: 'ip-dst', to_ids: true, comment: 'Observed in 3 job(s)' },
          { type: 'ip-dst', to_ids: false },
          { type: 'target-user', category: 'Targeting data', to_ids: false },
          { type: 'domain', to_ids: false },
        ],
      },
    });
    expect(mispKind({ type: 'hash', value: 'a'.repeat(128) })?.type).toBe('sha512');
  });

  it('is one for each day, and its attributes are of it', () => {
    const uuids = [first, last].map((at) => feedEventId('feed', at));
    const attributes = uuids.map((uuid) =>
      JSON.stringify(mispEvent({ uuid, info: 'feed', at: first, indicators: [indicator('user', 'a')] })),
    );
    expect(new Set([...uuids, ...attributes]).size).toBe(4);
  });
});
