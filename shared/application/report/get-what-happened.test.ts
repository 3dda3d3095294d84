import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, SiteSettings } from '@svc/domain';
import type { LogCensus } from '@svc/engine';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getWhatHappened } from './get-what-happened.ts';
import { sentenceText } from './shown/happened/sentence-parts.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(() => test.reset());
afterAll(() => test.close());

/** What happened in a job with one finding. */
async function happened() {
  test.engine.behave = async () => output({ derived: derived() });
  const id = await analyzeLog(test.ports, visitor);
  return getWhatHappened(test.ports, visitor, { id });
}

it('tells of findings, alerts, entities and processes as the contract says', async () => {
  const answer = await happened();
  expect(operations.getWhatHappened.output.parse(answer)).toEqual(answer);
  expect(answer.sentences.map(sentenceText)).toEqual([
    'First sign of execution at 2026-08-01 10:15:00 UTC on ws1.example.org: the rule “Encoded PowerShell Command Line” (high) matched, program `C:\\Windows\\System32\\cmd.exe`.',
    'All matches that name a host are of ws1.example.org: 1 high finding.',
    'Matched events name 2 accounts: bob (2 events) and alice (1 event).',
    'Processes: winword.exe → powershell.exe, where the rule “Encoded PowerShell Command Line” (high) matched.',
  ]);
});

it('tells what is in a log as far as that was counted, of hosts and accounts where the site shows them', async () => {
  const { ports } = test;
  const names = { frequent: [{ value: 'ws1', count: 3 }], total: 1, isPart: false };
  const census: LogCensus = {
    records: 3,
    kinds: [{ source: 'linux: auditd', channel: null, provider: null, event: 'USER_LOGIN', count: 3 }],
    kindsTotal: 1,
    hosts: names,
    accounts: names,
    undated: 3,
    first: null,
    last: null,
    gaps: null,
    rules: { total: 9, reading: 1 },
  };
  const contentsOf = async (over: Parameters<typeof derived>[0]) => {
    test.engine.behave = async () => output({ findings: [], derived: derived(over) });
    const id = await analyzeLog(ports, visitor);
    const answer = await getWhatHappened(ports, visitor, { id });
    expect(operations.getWhatHappened.output.parse(answer)).toEqual(answer);
    return answer.contents?.map((one) => one.about);
  };
  const nothing = {
    alerts: { ...derived().alerts, markers: [] },
    processes: { ...derived().processes, roots: [] },
    tactics: [],
  };
  expect(await contentsOf(nothing)).toBeUndefined();
  expect(await contentsOf({ ...nothing, census })).toEqual(['records', 'time', 'hosts', 'accounts', 'rules_for']);
  await ports.settings.change({ showEntities: false });
  expect(await contentsOf({ ...nothing, census })).toEqual(['records', 'time', 'rules_for']);
});

it.each<[keyof SiteSettings, string]>([
  ['showAlertTimeline', 'hosts'],
  ['showEntities', 'accounts'],
  ['showProcessTree', 'processes'],
])('leaves out what the site does not show by %s', async (setting, about) => {
  const { ports } = test;
  const abouts = async () => (await happened()).sentences.map((one) => one.about);
  expect(await abouts()).toContain(about);
  await ports.settings.change({ [setting]: false });
  expect(await abouts()).not.toContain(about);
});

it('says nothing of a job that has not ended, and of one that the viewer may not see', async () => {
  const { ports } = test;
  const id = await submitLog(ports, visitor);
  expect(await getWhatHappened(ports, visitor, { id })).toMatchObject({ sentences: [], findings: 0 });
  await expect(getWhatHappened(ports, visitor, { id: id + 1 })).rejects.toMatchObject({ code: 'not_found' });
});
