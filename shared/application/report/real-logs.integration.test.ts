import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { SigmaNativeEngine } from '@svc/adapters/local/sigma-native.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeNext, plainSubmission } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Analytics } from '@svc/contracts';
import { severityRank, type Tactic, tactics, tacticsOf, techniquesOf, type Actor } from '@svc/domain';
import { packRules } from '@svc/engine';
import { shippedRules } from '@svc/engine/testing/shipped-rules.ts';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { gatherJob } from '../ai/brief/gather-facts.ts';
import { jobBrief } from '../ai/brief/job-brief.ts';
import { isGeneric } from '../ai/pseudonyms/generic-names.ts';
import { knownNames } from '../ai/pseudonyms/known-names.ts';
import { standIn } from '../ai/pseudonyms/name-table.ts';
import { pseudonymise } from '../ai/pseudonyms/pseudonymise.ts';
import { deriveAgain } from '../analysis/derive-again.ts';
import { rawNames } from '../analysis/store-raw-outputs.ts';
import type { AlertIndex } from './derivation-repository.ts';
import type { ReadyRules } from '../ports/detection-engine.ts';
import { spoolUpload } from '../submissions/spool-upload.ts';
import { uploadFile } from '../submissions/upload-file.ts';
import { explainFinding } from './explain-finding.ts';
import { exportFindingMatches } from './export-finding-matches.ts';
import { exportFindings } from './export-findings.ts';
import { getAnalytics } from './get-analytics.ts';
import { getEventsTimeline } from './get-events-timeline.ts';
import { getMitreLayer } from './get-mitre-layer.ts';
import { getWhatHappened } from './get-what-happened.ts';
import { listFindings } from './list-findings.ts';
import { bySeverity, byTime, counted, sentenceText } from './shown/happened/sentence-parts.ts';
import { groupFindingMatches } from './group-finding-matches.ts';
import { listFindingMatches } from './list-finding-matches.ts';

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
    const { rules, loaded } = await shippedRules();
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

    it('are told to a model within its limit, by no name of a host or an account', async () => {
      const facts = await gatherJob(test.ports, visitor, report.id);
      const brief = jobBrief(facts, 60_000);
      const { text, pseudonyms } = pseudonymise(brief.text, knownNames([facts]));
      expect(brief.text.length).toBeLessThanOrEqual(60_000);
      const values = new Map(pseudonyms.map(({ token, value }) => [token, value]));
      expect(text.replaceAll(standIn, (token) => values.get(token) ?? token)).toBe(brief.text);
      const bare = text.replaceAll(standIn, ' ').toLowerCase();
      for (const name of facts.own.hosts.filter((one) => !isGeneric(one)))
        expect(bare).not.toContain(` ${name.toLowerCase()} `);
    });

    it('give every match of a finding by pages, groups and export, from the raw output and from the log', async () => {
      const { ports } = test;
      const all = await ports.findings.withEvents(report.id);
      expect(all.length).toBeGreaterThan(0);
      const told = async (id: number, from: string) => {
        const ids: (string | null)[] = [];
        for (let page = 1; ; page++) {
          const answer = await listFindingMatches(ports, visitor, { id, page });
          expect(answer).toMatchObject({ from, complete: true });
          ids.push(...answer.events.map(({ record_id }) => record_id));
          if (!answer.more) return ids;
        }
      };
      const kept = new Map<number, (string | null)[]>();
      for (const { id, count } of all) {
        // What a correlation counted has lines under the rules that it counts.
        if (/^correlation:/m.test((await ports.findings.ruleSource(id)) ?? '')) continue;
        kept.set(id, await told(id, 'kept'));
        expect(kept.get(id)).toHaveLength(count);
        const { events, groups, others } = await groupFindingMatches(ports, visitor, { id, field: 'EventID' });
        expect([events, groups.reduce((sum, one) => sum + one.count, others)]).toEqual([count, count]);
      }
      const [first] = [...kept.keys()];
      const download = await exportFindingMatches(ports, visitor, { id: first!, format: 'jsonl' });
      let lines = 0;
      if ('content' in download)
        for await (const part of download.content) lines += Buffer.from(part).toString().split('\n').length - 1;
      expect(lines).toBe(kept.get(first!)!.length);
      const outputs = await ports.rawOutputs.ofJob(report.id);
      const { storageKey } = outputs.find(({ name }) => name === rawNames.matches)!;
      const exists = ports.objects.exists.bind(ports.objects);
      const without = overriding(ports, {
        objects: overriding(ports.objects, { exists: async (key: string) => key !== storageKey && exists(key) }),
      });
      // The largest of these logs takes about as long as one may be read.
      const few = path.startsWith('evtx/bench') ? [] : [...kept];
      for (const [id, ids] of few.filter(([, one]) => one.length > 10 && one.length <= 5000).slice(0, 3)) {
        const again = await listFindingMatches(without, visitor, { id, page: 1 });
        expect(again).toMatchObject({ from: 'log', complete: true });
        expect(again.events.map(({ record_id }) => record_id)).toEqual(ids.slice(0, 50));
        const why = await explainFinding(ports, visitor, { id, event: 0 });
        expect(why).toMatchObject({ note: null, rule: { matches: true } });
      }
    }, 240_000);

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

    it('tell what happened in sentences that findings, alerts and analytics prove', async () => {
      const { ports } = test;
      const { id, analytics } = report;
      const { sentences, told, findings, least } = await getWhatHappened(ports, visitor, { id });
      const rows = (await listFindings(ports, visitor, { id, page: 1 })).findings;
      const toldRows = rows.filter(({ severity }) => severityRank(severity) <= severityRank(least));
      expect([findings, told]).toEqual([rows.length, toldRows.length]);
      expect(sentences.length).toBeGreaterThanOrEqual(3);
      const byId = new Map(toldRows.map((row) => [row.id, row]));
      const ofTactic = (tactic: Tactic) => toldRows.filter(({ tags }) => tacticsOf(tags).includes(tactic));
      for (const { about, parts, findings: ids } of sentences) {
        const text = sentenceText({ parts });
        for (const one of ids) expect(byId.has(one)).toBe(true);
        for (const { to } of parts) {
          if (to?.kind === 'finding') {
            expect(byId.has(to.finding)).toBe(true);
            expect([null, byId.get(to.finding)!.first_seen]).toContain(to.at);
          }
          if (to?.kind === 'host') {
            const { items } = await getEventsTimeline(ports, visitor, { id, computer: to.host });
            const there = new Set(items.map(({ meta }) => meta.finding_id));
            const matched = toldRows.filter((row) => there.has(row.id));
            expect(matched.length).toBeGreaterThan(0);
            if (about === 'hosts') expect(text).toContain(bySeverity(matched));
          }
          if (to?.kind === 'account') {
            const named = analytics.frequent!.user.find(({ value }) => value === to.account)!;
            if (about === 'accounts') expect(text).toContain(`${to.account} (${counted(named.count, 'event')})`);
          }
          if (to?.kind === 'tactic') {
            const rowsOf = ofTactic(to.tactic);
            expect(new Set(ids)).toEqual(new Set(rowsOf.map((row) => row.id)));
            const matches = rowsOf.reduce((sum, { count }) => sum + count, 0);
            expect(text).toContain(counted(matches, 'match', 'matches'));
            if (told === findings) expect(matches).toBe(analytics.mitre_tactics![to.tactic]);
          }
        }
        if (about === 'chain') {
          const times = parts.flatMap(({ to }) => (to?.kind === 'finding' ? [to.at!] : []));
          expect(times).toEqual(times.toSorted(byTime));
          const firsts = tactics.flatMap((tactic) => {
            return ofTactic(tactic)
              .flatMap((row) => row.first_seen ?? [])
              .toSorted(byTime)
              .slice(0, 1);
          });
          expect(times).toEqual(firsts.toSorted(byTime));
        }
      }
    });

    it('count the events of each tactic and technique as the findings do', () => {
      const { analytics, findings, layer } = report;
      const named = findings.flatMap(({ tags, count }) => tacticsOf(tags).map((tactic) => [tactic, count] as const));
      const heatmap = Object.entries(analytics.mitre_tactics!).filter(([, count]) => count > 0);
      expect(Object.fromEntries(heatmap)).toEqual(summed(named));
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
