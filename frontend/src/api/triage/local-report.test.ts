import { sentenceText } from '@svc/application/report/shown/happened/sentence-parts.ts';
import { tacticGroups } from '@svc/domain';
import { analyze, loadRules } from '@svc/engine';
import { describe, expect, it } from 'vitest';
import { blobSource } from './blob-source.ts';
import { csvOf, findingsJson, localReport, navigatorLayer } from './local-report.ts';
import { makeReport } from './make-report.ts';

const rule = `title: "=HYPERLINK(1), started"
id: 2f3c1a10-0000-4000-8000-000000000001
author: J. Doe
level: high
tags: [attack.execution, attack.t1059.001]
logsource: {product: windows, category: process_creation}
detection: {s: {Image|endswith: cmd.exe}, condition: s}
`;
const event = (minute: number, image: string): string =>
  JSON.stringify({
    Event: {
      System: {
        EventID: 1,
        EventRecordID: minute,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        Computer: 'ws1',
        TimeCreated: { '#attributes': { SystemTime: `2026-08-01T10:0${minute}:00Z` } },
      },
      EventData: { Image: image, ProcessId: 7, ProcessGuid: `{${minute}}`, CommandLine: `${image} /c é` },
    },
  });

async function reportOf(text: string) {
  const { rules } = loadRules([{ path: 'rules.yml', text: rule }]);
  const tactics = tacticGroups(rules.rules);
  const entities = {
    fields: { computer: ['Computer'], executable: ['Image'] },
    ignoredUsers: [],
    commandLineExtensions: [],
  };
  const analysis = await analyze(blobSource(new Blob([text])), {
    rules,
    logType: 'json_evtx',
    maxSamples: 2,
    derive: { groups: tactics, entities: entities as never, threats: [] },
  });
  return makeReport(
    'json_evtx',
    [{ tool: 'sigma-native', analysis, grouped: { rules, tactics }, maxFindingDetails: 2 }],
    12,
  );
}

const log = [1, 2, 3].map((minute) => event(minute, 'C:\\Windows\\cmd.exe')).join('\n');
const signal = new AbortController().signal;
const panels = {
  mitre_heatmap: true,
  event_timeline: true,
  alert_timeline: true,
  entities: true,
  threat_detection: true,
  process_tree: true,
};

describe('the report of a log that was analysed here', () => {
  it('has the figures of a job', async () => {
    expect(await reportOf(`${log}\n${event(4, 'a.exe')}`)).toMatchObject({
      events: 4,
      scoreRatio: '1/1',
      totalFindings: 3,
      distinctRules: 1,
      severitySummary: { critical: 0, high: 3 },
      firstEventAt: '2026-08-01T10:01:00Z',
      lastEventAt: '2026-08-01T10:03:00Z',
      findings: [{ id: 1, tool: 'sigma-native', severity: 'high', count: 3, has_details: true, has_rule: true }],
    });
    expect(await reportOf(event(4, 'a.exe'))).toMatchObject({ scoreRatio: '0/1', firstEventAt: null, findings: [] });
  });

  it('answers the panels as the service does', async () => {
    const source = localReport(7, await reportOf(log), panels);
    expect({ key: source.key, jobId: source.jobId }).toEqual({ key: { triage: 7 }, jobId: null });
    const { events, max } = await source.events(1, signal);
    expect(events.map(({ record_id: id, fields }) => [id, fields['CommandLine']])).toEqual([
      ['1', 'C:\\Windows\\cmd.exe /c é'],
      ['2', 'C:\\Windows\\cmd.exe /c é'],
    ]);
    expect(max).toBe(2);
    const { sentences } = await source.whatHappened(signal);
    expect(sentences.map(sentenceText)).toEqual([
      'First sign of execution at 2026-08-01 10:01:00 UTC on ws1: the rule “=HYPERLINK(1), started” (high) matched, command line `C:\\Windows\\cmd.exe /c é`.',
      'All matches that name a host are of ws1: 1 high finding.',
    ]);
    expect(await source.rule(1, signal)).toMatchObject({ author: 'J. Doe', content: rule });
    const { analytics } = await source.analytics(signal);
    expect(analytics).toMatchObject({ executables: ['cmd.exe'], events_seen: 3 });
    expect((await source.processTree(signal)).stats.processes).toBe(3);
    const whole = await source.timeline({ severity: [] }, signal);
    expect(whole.items.map(({ grouping, meta }) => [grouping, meta.finding_id])).toEqual(
      Array.from({ length: 3 }, () => ['execution', 1]),
    );
    expect((await source.timeline({ severity: ['low'] }, signal)).items).toEqual([]);
  });

  it('is saved as the service exports it, as a table without formulas, and as a layer', async () => {
    const report = await reportOf(log);
    const saved = JSON.parse(await (await findingsJson(report)).text()) as unknown[];
    expect(saved).toMatchObject([
      {
        rule_signature: '2f3c1a10-0000-4000-8000-000000000001:high',
        rule_author: 'J. Doe',
        details: [{ ProcessId: 7 }, { ProcessId: 7 }],
      },
    ]);
    expect((await csvOf(report).text()).split('\r\n')[1]).toMatch(
      /^high,"'=HYPERLINK\(1\), started",2f3c.*,J\. Doe,sigma-native,sigma-native,0$/,
    );
    expect(navigatorLayer(report, 'a.json')).toMatchObject({
      name: 'a.json',
      techniques: [{ techniqueID: 'T1059.001', score: 3 }],
    });
    const none = await reportOf(event(4, 'a.exe'));
    expect(await (await findingsJson(none)).text()).toBe('[]');
  });
});

it('reads a file by slices, wherever the reader looks', async () => {
  const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 31) % 251);
  const source = blobSource(new Blob([bytes]));
  for (const [offset, length] of [
    [0, 10],
    [1_048_570, 20],
    [5, 2_500_000],
    [2_999_990, 100],
    [3_000_000, 5],
  ] as const) {
    const into = new Uint8Array(length);
    const count = await source.read(offset, into);
    expect(Buffer.compare(into.subarray(0, count), bytes.subarray(offset, offset + length))).toBe(0);
  }
});
