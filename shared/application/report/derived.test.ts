import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, SiteSettings } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DerivedOutput } from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import { getAnalytics } from './get-analytics.ts';
import { getAlertMarkers } from './get-alert-markers.ts';
import { getEventsTimeline } from './get-events-timeline.ts';
import { getJob } from '../jobs/get-job.ts';
import { getMitreLayer } from './get-mitre-layer.ts';
import { listFindings } from './list-findings.ts';
import { getProcessTree } from './get-process-tree.ts';
import { hourLabels } from './shown/hour-labels.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

/** An analysed job whose engine derived this. */
async function analyzed(found: DerivedOutput | null, analyze = true): Promise<number> {
  test.engine.behave = async () => output({ derived: found });
  return analyze ? analyzeLog(ports, visitor) : submitLog(ports, visitor);
}

it('answers as the contracts say', async () => {
  const id = await analyzed(derived());
  const answers = {
    getAlertMarkers: await getAlertMarkers(ports, visitor, { id }),
    getAnalytics: await getAnalytics(ports, visitor, { id }),
    getEventsTimeline: await getEventsTimeline(ports, visitor, { id }),
    getMitreLayer: await getMitreLayer(ports, visitor, { id }),
    getProcessTree: await getProcessTree(ports, visitor, { id }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    expect(operations[name as keyof typeof answers].output.parse(answer)).toEqual(answer);
  }
  for (const use of [getAlertMarkers, getAnalytics, getEventsTimeline, getMitreLayer, getProcessTree]) {
    await expect(use(ports, visitor, { id: id + 1 })).rejects.toMatchObject({ code: 'not_found' });
  }
});

describe('analytics', () => {
  it('show tactics, hours, things and heuristics', async () => {
    const { state, analytics } = await getAnalytics(ports, visitor, { id: await analyzed(derived()) });
    expect(state).toBe('ready');
    expect(analytics).toMatchObject({
      timeline: [
        {
          bucket: '10:00',
          hour: '2026-08-01T10',
          count: 2,
          pct: 100,
          segments: [{ tactic: 'execution', count: 2, pct: 100, color: '#f97316' }],
        },
      ],
      timeline_tactics: [{ name: 'Execution', key: 'execution', color: '#f97316' }],
      users: ['alice', 'bob'],
      frequent: { user: [{ value: 'bob', count: 2 }, { value: 'alice' }] },
      threat_detection: { total_indicators: 2 },
      events_seen: 2,
      events_capped: false,
    });
    expect(analytics?.mitre_tactics).toMatchObject({ execution: 1, persistence: 0 });
  });

  it('say when they are of a part of the matched events', async () => {
    const id = await analyzed(derived({ isCapped: true }));
    expect((await getAnalytics(ports, visitor, { id })).analytics).toMatchObject({ events_capped: true });
  });

  it('show the hours of a log of many years', async () => {
    const since = Date.UTC(2000, 0);
    const hours = Array.from({ length: 150_000 }, (_, nth) => {
      const hour = new Date(since + nth * 3_600_000).toISOString().slice(0, 13);
      return { hour, groups: new Map([['execution', nth === 0 ? 4 : 1]]) };
    });
    const id = await analyzed(derived({ hours }));
    const { timeline } = (await getAnalytics(ports, visitor, { id })).analytics!;
    expect(timeline).toHaveLength(hours.length);
    expect(timeline?.slice(0, 2)).toMatchObject([{ bucket: 'Jan 01 2000 00:00', pct: 100 }, { pct: 25 }]);
  });

  it('say why there are none', async () => {
    const pending = await analyzed(null, false);
    expect(await getAnalytics(ports, visitor, { id: pending })).toEqual({ state: 'pending', analytics: null });
    await ports.tasks.receive({ worker: 'w', waitMs: 0 });
    const none = await analyzed(null);
    expect(await getAnalytics(ports, visitor, { id: none })).toEqual({ state: 'skipped', analytics: null });
    expect((await getProcessTree(ports, visitor, { id: none })).stats.processes).toBe(0);
    expect(await getEventsTimeline(ports, visitor, { id: none })).toMatchObject({ index_missing: true, items: [] });
    expect(await getAlertMarkers(ports, visitor, { id: none })).toMatchObject({ starts: [], kinds: [] });
  });

  it.each([
    [
      ['2026-08-01T09', '2026-08-01T10'],
      ['09:00', '10:00'],
    ],
    [
      ['2026-08-01T09', '2026-08-02T10'],
      ['Aug 01 09:00', 'Aug 02 10:00'],
    ],
    [
      ['2025-12-31T23', '2026-01-01T00'],
      ['Dec 31 2025 23:00', 'Jan 01 2026 00:00'],
    ],
  ])('label the hours %j', (hours, labels) => {
    expect(hourLabels(hours)).toEqual(labels);
  });
});

describe('the timeline of alerts', () => {
  const start = 1_785_579_300;
  const spread = (seconds: number[]): DerivedOutput => {
    const markers = seconds.map((at) => ({ time: start + at, rule: 0, computer: 'ws1', count: 2 }));
    return derived({ alerts: { resolution: 1, markers, total: 2 * seconds.length, undated: 3 } });
  };

  it('shows each alert by its rule, tactic and computer', async () => {
    const id = await analyzed(spread([0, 1]));
    const timeline = await getEventsTimeline(ports, visitor, { id });
    expect(timeline).toMatchObject({
      discarded: 2,
      total: 4,
      undated: 3,
      resolution: 1,
      extent: [start * 1000, (start + 1) * 1000],
      groupings: ['execution'],
      truncated: false,
    });
    expect(timeline.items[0]).toMatchObject({
      id: `${id}:0:${start}`,
      start: start * 1000,
      label: finding().ruleName,
      grouping: 'execution',
      category: 'high',
      meta: { computer: 'ws1', tool: 'sigma-native', job_id: id, events: 2, discarded: 1 },
    });
  });

  it('comes whole in columns', async () => {
    const id = await analyzed(spread([0, 1]));
    const { findings } = await listFindings(ports, visitor, { id, page: 1 });
    expect(await getAlertMarkers(ports, visitor, { id })).toEqual({
      starts: [start, start + 1],
      kind: [0, 0],
      counts: [2, 2],
      kinds: [[findings[0]!.id, 0, 0]],
      computers: ['ws1'],
      tactics: ['execution'],
      resolution: 1,
    });
  });

  it('narrows by time and severity, and keeps lanes and extent', async () => {
    const id = await analyzed(spread([0, 10, 20]));
    const window = { id, frm: (start + 5) * 1000, to: (start + 15) * 1000 };
    const narrowed = await getEventsTimeline(ports, visitor, window);
    expect(narrowed.items.map((item) => item.start)).toEqual([(start + 10) * 1000]);
    expect(narrowed.extent).toEqual([start * 1000, (start + 20) * 1000]);
    expect(await getEventsTimeline(ports, visitor, { id, severity: ['low'] })).toMatchObject({
      items: [],
      total: 0,
      groupings: ['execution'],
    });
    expect((await getEventsTimeline(ports, visitor, { id, resolution: 60 })).items).toHaveLength(1);
    expect(await getEventsTimeline(ports, visitor, { id, computer: 'ws1' })).toMatchObject({ total: 6 });
    expect(await getEventsTimeline(ports, visitor, { id, computer: 'ws2' })).toMatchObject({
      total: 0,
      groupings: ['execution'],
    });
  });

  it('shows a marker of a coarse index in each window that it reaches into', async () => {
    const markers = [0, 60].map((at) => ({ time: start + at, rule: 0, computer: 'ws1', count: 2 }));
    const id = await analyzed(derived({ alerts: { resolution: 60, markers, total: 4, undated: 0 } }));
    const within = async (from: number, to: number): Promise<number[]> => {
      const window = { id, frm: (start + from) * 1000, to: (start + to) * 1000 };
      return (await getEventsTimeline(ports, visitor, window)).items.map((item) => item.start / 1000 - start);
    };
    expect(await within(20, 40)).toEqual([0]);
    expect(await within(59.5, 60)).toEqual([0, 60]);
    expect(await within(60, 70)).toEqual([60]);
  });

  it('is coarser where there are too many, and loses no alert', async () => {
    const id = await analyzed(spread(Array.from({ length: 5000 }, (_, at) => at)));
    const timeline = await getEventsTimeline(ports, visitor, { id });
    expect(timeline).toMatchObject({ resolution: 5, base_resolution: 1, total: 10_000, truncated: false });
    expect(timeline.items.length).toBeLessThanOrEqual(2000);
    expect(timeline.discarded).toBe(timeline.total - timeline.items.length);
  });

  it('keeps the busiest where the coarsest step has too many', async () => {
    const markers = Array.from({ length: 3000 }, (_, at) => {
      return { time: start, rule: 0, computer: `ws${at}`, count: at + 1 };
    });
    const total = (3000 * 3001) / 2;
    const id = await analyzed(derived({ alerts: { resolution: 1, markers, total, undated: 0 } }));
    const timeline = await getEventsTimeline(ports, visitor, { id });
    expect(timeline).toMatchObject({ resolution: 86_400, total, truncated: true, discarded: total - 2000 });
    expect(Math.min(...timeline.items.map(({ meta }) => meta.events))).toBe(1001);
    expect(timeline.colors.severity['unknown']).toBe('#4b5563');
  });
});

it('makes a layer of the techniques', async () => {
  const layer = await getMitreLayer(ports, visitor, { id: await analyzed(derived()) });
  expect(layer).toMatchObject({
    versions: { attack: '16', navigator: '5.0', layer: '4.5' },
    techniques: [{ techniqueID: 'T1059.001', score: 1, comment: '1 events', enabled: true }],
  });
});

describe('what the site does not show', () => {
  const off = async (name: keyof SiteSettings): Promise<number> => {
    const id = await analyzed(derived());
    await ports.settings.change({ [name]: false });
    return id;
  };

  it.each([
    ['showMitreHeatmap', ['mitre_tactics']],
    ['showEventTimeline', ['timeline', 'timeline_tactics']],
    ['showThreatDetection', ['threat_detection']],
  ] as const)('is left out of the analytics by %s', async (name, missing) => {
    const id = await analyzed(derived());
    const all = Object.keys((await getAnalytics(ports, visitor, { id })).analytics!);
    await ports.settings.change({ [name]: false });
    const { analytics } = await getAnalytics(ports, visitor, { id });
    expect(all.filter((key) => !(key in analytics!)).sort()).toEqual([...missing].sort());
  });

  it('is left out of the analytics by showEntities, and counted all the same', async () => {
    const { analytics } = await getAnalytics(ports, visitor, { id: await off('showEntities') });
    expect(Object.keys(analytics!).sort()).toEqual([
      'events_capped',
      'events_seen',
      'mitre_tactics',
      'threat_detection',
      'timeline',
      'timeline_tactics',
    ]);
  });

  it.each([
    ['showAlertTimeline', getEventsTimeline],
    ['showAlertTimeline', getAlertMarkers],
    ['showProcessTree', getProcessTree],
    ['showMitreHeatmap', getMitreLayer],
  ] as const)('is refused by %s, to those who may see the job', async (name, use) => {
    const id = await off(name);
    await expect(use(ports, visitor, { id })).rejects.toMatchObject({ code: 'feature_off' });
    await expect(use(ports, visitor, { id: id + 1 })).rejects.toMatchObject({ code: 'not_found' });
    await ports.settings.change({ [name]: true });
    expect(await use(ports, visitor, { id })).toBeTruthy();
  });

  it('is told with the job', async () => {
    const id = await off('showProcessTree');
    const { panels } = await getJob(ports, visitor, { id });
    expect(Object.entries(panels).filter(([, shown]) => !shown)).toEqual([['process_tree', false]]);
  });
});
