import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { SigmaNativeEngine } from '@svc/adapters/local/sigma-native.ts';
import { analyzeNext, plainSubmission } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Analytics } from '@svc/contracts';
import { tacticsOf, techniquesOf, type Actor } from '@svc/domain';
import { loadRules, packRules } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { deriveAgain } from '../analysis/derive-again.ts';
import type { AlertIndex } from './derivation-repository.ts';
import type { ReadyRules } from '../ports/detection-engine.ts';
import { spoolUpload } from '../submissions/spool-upload.ts';
import { uploadFile } from '../submissions/upload-file.ts';
import { exportFindings } from './export-findings.ts';
import { getAnalytics } from './get-analytics.ts';
import { getEventsTimeline } from './get-events-timeline.ts';
import { getMitreLayer } from './get-mitre-layer.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const config = join(projectRoot(), 'config');

interface Report {
  readonly id: number;
  readonly findings: Awaited<ReturnType<typeof exportFindings>>;
  readonly analytics: Analytics;
  readonly alerts: Awaited<ReturnType<typeof getEventsTimeline>>;
  readonly layer: Awaited<ReturnType<typeof getMitreLayer>>;
  /** Matches of all findings. */
  readonly total: number;
}

/** Sums of counts by key. */
function summed(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, count] of entries) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

/** What an index tells, however it is put together. */
function alertsOf({ ts, k, n, keys, computers, ...rest }: AlertIndex): unknown {
  const alerts = ts.map((time, at) => {
    const [id, name, severity, tactic, computer, tool, finding] = keys[k[at]!]!;
    return JSON.stringify([time, id, name, severity, tactic, computers[computer], tool, finding, n[at]]);
  });
  return { ...rest, alerts: alerts.toSorted() };
}

describeWithSharedData('reports of real logs', () => {
  let test: TestPorts;
  let engine: SigmaNativeEngine;
  beforeAll(async () => {
    test = await openTestPorts();
    await test.reset();
    const deriveFrom = {
      analyticsFields: join(config, 'analytics_fields.yaml'),
      threatDetection: join(config, 'threat_detection.yaml'),
    };
    engine = new SigmaNativeEngine({ deriveFrom, memoryMb: 1024, threads: 1 });
    const { rules, loaded } = loadRules(await readRuleFiles([join(config, 'sigma')]));
    const packed = packRules(rules);
    const ruleSet = { name: 'core', version: '1', loaded, rejected: 0, packs: [] };
    const ready: ReadyRules = { digest: 'core', ruleSet, load: async () => packed };
    test.engine.behave = (input, run) => engine.run({ ...input, rules: ready, maxRawBytes: 2 ** 25 }, run);
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    await test?.close();
  });

  async function reportOf(path: string): Promise<Report> {
    const { ports } = test;
    const content = createReadStream(sharedData(path)) as AsyncIterable<Uint8Array>;
    const file = await spoolUpload(ports, { fileName: basename(path), content });
    const workflow_id = (await ports.workflows.list()).find(({ isDefault }) => isDefault)!.id;
    const sent = { ...plainSubmission, workflow_id, log_type_override: 'evtx', file };
    const { job_id: id } = await uploadFile(ports, visitor, sent);
    await analyzeNext(ports);
    const findings = await exportFindings(ports, visitor, { id });
    const { analytics } = await getAnalytics(ports, visitor, { id });
    return {
      id,
      findings,
      analytics: analytics!,
      alerts: await getEventsTimeline(ports, visitor, { id }),
      layer: await getMitreLayer(ports, visitor, { id }),
      total: findings.reduce((sum, { count }) => sum + count, 0),
    };
  }

  describe.each([
    'evtx/sysmon-atomic-red-team.evtx',
    'evtx/powershell-4104-obfuscation.evtx',
    'evtx/sysmon-mixed-large.evtx',
    'evtx/security-4625-bruteforce.evtx',
    'evtx/bench/mixed.evtx.gz',
  ])('%s', (path) => {
    let report: Report;
    beforeAll(async () => {
      report = await reportOf(path);
    }, 120_000);

    it('plot every match of every finding, by hour and as alerts', () => {
      const { analytics, alerts, total } = report;
      const hours = analytics.timeline!;
      expect(total).toBeGreaterThan(0);
      expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      expect(alerts.total + alerts.undated).toBe(total);
      expect(alerts.undated).toBe(0);
      for (const { count, segments } of hours) expect(segments.reduce((sum, one) => sum + one.count, 0)).toBe(count);
      expect(hours.map(({ hour }) => hour)).toEqual(hours.map(({ hour }) => hour).toSorted());
      expect(Math.max(...hours.map(({ pct }) => pct))).toBe(100);
    });

    it('are the same when they are derived again from the raw outputs', async () => {
      const { ports } = test;
      const { id } = report;
      const stored = async () => [
        await ports.derivations.analytics(id),
        alertsOf((await ports.derivations.alerts(id))!),
        await ports.derivations.processes(id),
      ];
      const before = await stored();
      expect(await deriveAgain(ports, id)).toMatch(/^recalculated from \d+ matched events$/);
      expect(await stored()).toEqual(before);
    });

    it('count the alerts of an hour in its bar', () => {
      const { analytics, alerts } = report;
      // Markers of a day would lie in several hours.
      if (alerts.resolution > 3600) return;
      const hourOf = (at: number): string => new Date(at).toISOString().slice(0, 13);
      const ofAlerts = summed(alerts.items.map(({ start, meta }) => [hourOf(start), meta.events]));
      expect(ofAlerts).toEqual(Object.fromEntries(analytics.timeline!.map(({ hour, count }) => [hour, count])));
    });

    it('count the events of each tactic and technique as the findings do', () => {
      const { analytics, findings, layer } = report;
      const tactics = findings.flatMap(({ tags, count }) => tacticsOf(tags).map((tactic) => [tactic, count] as const));
      const heatmap = Object.entries(analytics.mitre_tactics!).filter(([, count]) => count > 0);
      expect(Object.fromEntries(heatmap)).toEqual(summed(tactics));
      const techniques = findings.flatMap(({ tags, count }) =>
        [...new Set(techniquesOf(tags))].map((technique) => [technique, count] as const),
      );
      const scores = Object.fromEntries(layer.techniques.map(({ techniqueID, score }) => [techniqueID, score]));
      expect(scores).toEqual(summed(techniques));
      expect(layer.gradient.maxValue).toBe(Math.max(...Object.values(scores)));
    });
  });

  it('know what a weakened Defender is a tactic of, and when', async () => {
    const { analytics, findings, layer } = await reportOf('evtx/sysmon-mixed-large.evtx');
    expect(findings.map(({ rule_name: name }) => name)).toContain('Command Weakens Defender');
    expect(analytics.mitre_tactics!['defense_evasion']).toBeGreaterThanOrEqual(1);
    expect(layer.techniques.map(({ techniqueID }) => techniqueID)).toContain('T1562.001');
    expect(analytics.timeline!.map(({ bucket, hour }) => [bucket, hour])).toEqual([['12:00', '2022-09-01T12']]);
  });
});
