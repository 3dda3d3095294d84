import type { FindingRow, MatchedEvent, ProcessTree, WhatHappened } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { sentenceText } from './sentence-parts.ts';
import { type ReportFacts, whatHappened } from './what-happened.ts';

const day = '2026-08-01T';

function row(id: number, over: Partial<FindingRow> = {}): FindingRow {
  return {
    id,
    task_result_id: 1,
    tool: 'sigma-native',
    rule_id: `rule-${id}`,
    rule_name: `Rule ${id}`,
    severity: 'high',
    count: 1,
    tags: ['attack.execution', 'attack.t1059.001'],
    rule_signature: `rule-${id}:high`,
    first_seen: `${day}09:00:0${id}Z`,
    last_seen: `${day}09:00:0${id}Z`,
    has_details: true,
    has_rule: true,
    ...over,
  };
}

function event(over: Partial<MatchedEvent> = {}): MatchedEvent {
  return {
    record_id: '1',
    timestamp: `${day}09:00:01Z`,
    computer: 'WS01',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    event_id: '1',
    fields: { CommandLine: 'powershell -enc SQBFAFgA', User: 'CORP\\alice', ParentImage: 'C:\\Office\\winword.exe' },
    ...over,
  };
}

function facts(over: Partial<ReportFacts> = {}): ReportFacts {
  const nothing = { hosts: null, accounts: null, processes: null, census: null, showsNames: true };
  return { findings: [], ...nothing, eventsOf: async () => [], ...over };
}

function textsOf({ sentences }: WhatHappened): string[] {
  return sentences.map(sentenceText);
}

const process = {
  guid: '',
  pid: '',
  image_full: '',
  image_alts: [],
  cmdline: '',
  user: '',
  time: '',
  computer: '',
  hashes: [],
};
function node(image: string, findings: number[], children: ProcessTree['roots'] = []): ProcessTree['roots'][number] {
  return { ...process, image, hit: findings.length > 0, findings, children };
}

it('says nothing where nothing was found', async () => {
  expect(await whatHappened(facts())).toMatchObject({ sentences: [], told: 0, findings: 0 });
});

describe('how it began', () => {
  it('is the earliest match of a rule for access or execution, with what its event says', async () => {
    const findings = [
      row(1, { tags: ['attack.discovery'], first_seen: `${day}08:00:00Z` }),
      row(2, { first_seen: `${day}09:30:00Z` }),
      row(3, { first_seen: `${day}09:00:01Z` }),
    ];
    const happened = await whatHappened(
      facts({
        findings,
        hosts: { hosts: new Map([['WS01', new Set([3])]]), isPart: false },
        accounts: { frequent: [{ value: 'CORP\\alice', count: 4 }], total: 1, isPart: false },
        eventsOf: async (id) => (id === 3 ? [event()] : []),
      }),
    );
    const [first] = happened.sentences;
    expect(sentenceText(first!)).toBe(
      'First sign of execution at 2026-08-01 09:00:01 UTC on WS01, account CORP\\alice: the rule “Rule 3” (high) ' +
        'matched, command line `powershell -enc SQBFAFgA`, started by `winword.exe`.',
    );
    expect(first).toMatchObject({ about: 'foothold', findings: [3] });
    expect(first!.parts.map(({ to }) => to).filter((to) => to !== null)).toEqual([
      { kind: 'finding', finding: 3, at: `${day}09:00:01Z` },
      { kind: 'host', host: 'WS01' },
      { kind: 'account', account: 'CORP\\alice' },
      { kind: 'finding', finding: 3, at: `${day}09:00:01Z` },
      { kind: 'finding', finding: 3, at: `${day}09:00:01Z` },
      { kind: 'finding', finding: 3, at: `${day}09:00:01Z` },
    ]);
  });

  it('is only the first match where no rule is for access or execution', async () => {
    const findings = [row(2, { tags: [] }), row(1, { tags: ['attack.discovery'] })];
    expect(textsOf(await whatHappened(facts({ findings })))[0]).toBe(
      'First match at 2026-08-01 09:00:01 UTC: the rule “Rule 1” (high) matched.',
    );
  });

  it('says nothing of an event that did not make the first time, and of times that there are none', async () => {
    const later = facts({ findings: [row(1)], eventsOf: async () => [event({ timestamp: `${day}09:30:00Z` })] });
    expect(textsOf(await whatHappened(later))[0]).toBe(
      'First sign of execution at 2026-08-01 09:00:01 UTC: the rule “Rule 1” (high) matched.',
    );
    const untimed = facts({ findings: [row(1, { first_seen: null, last_seen: null, has_details: false })] });
    expect(textsOf(await whatHappened(untimed))[0]).toBe(
      'First match at a time not known: the rule “Rule 1” (high) matched.',
    );
  });

  it('does not begin with what is below medium where there is worse', async () => {
    const findings = [row(1, { severity: 'low' }), row(2, { severity: 'medium' })];
    const happened = await whatHappened(facts({ findings }));
    expect(happened).toMatchObject({ least: 'medium', told: 1, findings: 2 });
    expect(textsOf(happened)[0]).toContain('“Rule 2”');
    const low = await whatHappened(facts({ findings: findings.slice(0, 1) }));
    expect(low).toMatchObject({ least: 'informational', told: 1 });
  });
});

it('names the worst hosts by their findings, never one that only lesser findings are of', async () => {
  const findings = [row(1, { severity: 'critical' }), row(2), row(3), row(4, { severity: 'low' })];
  const hosts = new Map([
    ['WS01', new Set([2, 3])],
    ['DC01', new Set([1, 2])],
    ['WS02', new Set([4])],
  ]);
  const of = async (isPart: boolean) => textsOf(await whatHappened(facts({ findings, hosts: { hosts, isPart } })))[1];
  expect(await of(false)).toBe(
    'The worst of 2 hosts is DC01 with 1 critical and 1 high findings; next is WS01 (2 high findings).',
  );
  expect(await of(true)).toContain(', as far as matches were looked at');
});

it('tells tactics in the order of their first match', async () => {
  const findings = [
    row(3, { tags: ['attack.persistence', 'attack.privilege-escalation'] }),
    row(1, { tags: ['attack.persistence'] }),
    row(2, { tags: ['attack.initial-access'], first_seen: `${day}09:00:00.5Z` }),
  ];
  const { sentences } = await whatHappened(facts({ findings }));
  const chain = sentences.find(({ about }) => about === 'chain')!;
  expect(sentenceText(chain)).toBe(
    'Tactics by their first match on 2026-08-01 UTC: initial access 09:00:00, persistence 09:00:01, privilege escalation 09:00:03.',
  );
  expect(chain.findings).toEqual([2, 1, 3]);
});

it('names accounts with the events that name them, and how many more there are', async () => {
  const frequent = ['bob', 'alice', 'carol', 'dave'].map((value, at) => ({ value, count: 1200 - at }));
  const accounts = { frequent, total: 12, isPart: true };
  const { sentences } = await whatHappened(facts({ findings: [row(1)], accounts }));
  expect(sentenceText(sentences[1]!)).toBe(
    'Matched events, as far as these were looked at, name 12 accounts: bob (1\u202F200 events), alice (1\u202F199 events), carol (1\u202F198 events) and 9 more.',
  );
});

describe('what was cleared or switched off', () => {
  const cleared = event({ channel: 'Security', event_id: '1102', fields: {} });

  it('is said where an event says so, and else is the match of a rule', async () => {
    const findings = [
      row(1, { tags: ['attack.defense-evasion', 'attack.t1070.001'] }),
      row(2, { tags: ['attack.defense-evasion', 'attack.t1562.001'] }),
      row(3, { tags: ['attack.defense-evasion', 'attack.t1562.001'] }),
      row(4, { tags: ['attack.defense-evasion', 'attack.t1562.002'] }),
    ];
    const { sentences } = await whatHappened(facts({ findings, eventsOf: async (id) => (id === 1 ? [cleared] : []) }));
    const off = sentences.find(({ about }) => about === 'switched_off')!;
    expect(sentenceText(off)).toBe(
      'Cleared or switched off: the Security log was cleared at 2026-08-01 09:00:01 on WS01; ' +
        'a rule for disabling security tools, “Rule 2” (high), matched at 2026-08-01 09:00:02; ' +
        'a rule for disabling audit or logging, “Rule 4” (high), matched at 2026-08-01 09:00:04; ' +
        'and 1 more finding of this.',
    );
    expect(off.findings).toEqual([1, 2, 3, 4]);
  });

  it('is not what rules for other things match', async () => {
    const findings = [row(1, { tags: ['attack.defense-evasion', 'attack.t1070.004'] })];
    const { sentences } = await whatHappened(facts({ findings, eventsOf: async () => [cleared] }));
    expect(sentences.map(({ about }) => about)).not.toContain('switched_off');
  });
});

it('tells how the process with the worst finding came to run', async () => {
  const tree = [
    node('unknown ancestor', [], [node('x.exe', [1])]),
    node('winword.exe', [], [node('cmd.exe', [2], [node('powershell.exe', [1, 2], [node('whoami.exe', [2])])])]),
  ];
  const findings = [row(1, { severity: 'critical' }), row(2)];
  const { sentences } = await whatHappened(facts({ findings, processes: tree }));
  const told = sentences.find(({ about }) => about === 'processes')!;
  expect(sentenceText(told)).toBe(
    'Processes: winword.exe → cmd.exe → powershell.exe, where the rule “Rule 1” (critical) matched; rules matched 1 process below it.',
  );
  const alone = await whatHappened(facts({ findings, processes: [node('x.exe', [1])] }));
  expect(alone.sentences.map(({ about }) => about)).not.toContain('processes');
});

it('tells the worst tactics with all their matches, each finding under one of them, in eight sentences at most', async () => {
  const of = (id: number, tactic: string, over: Partial<FindingRow> = {}) =>
    row(id, { tags: [`attack.${tactic}`], ...over });
  const findings = [
    row(1),
    of(2, 'persistence', { count: 5, severity: 'critical' }),
    of(3, 'persistence', { count: 7 }),
    row(4, { tags: ['attack.persistence', 'attack.privilege-escalation'] }),
    ...['impact', 'credential-access', 'lateral-movement', 'collection', 'discovery'].map((one, at) => of(5 + at, one)),
  ];
  const happened = await whatHappened(
    facts({
      findings,
      hosts: { hosts: new Map([['WS01', new Set([1])]]), isPart: false },
      accounts: { frequent: [{ value: 'bob', count: 1 }], total: 1, isPart: false },
    }),
  );
  expect(happened.sentences).toHaveLength(8);
  const tactics = happened.sentences.filter(({ about }) => about === 'tactic');
  expect(sentenceText(tactics[0]!)).toBe(
    'Persistence: 3 findings with 13 matches, the worst first at 2026-08-01 09:00:02 UTC: the rule “Rule 2” (critical) matched.',
  );
  expect(tactics[0]!.findings).toEqual([2, 3, 4]);
  expect(tactics.map(({ parts }) => parts[0]!.text)).toEqual([
    'Persistence',
    'Impact',
    'Credential access',
    'Lateral movement',
  ]);
});

it('keeps what logs and rules say on one line, and no longer than a line', async () => {
  const fields = { CommandLine: `cmd\r\n${'x'.repeat(500)}` };
  const { sentences } = await whatHappened(facts({ findings: [row(1)], eventsOf: async () => [event({ fields })] }));
  const quoted = sentences[0]!.parts.find(({ verbatim }) => verbatim)!;
  expect(quoted.text).toMatch(/^cmd x+…$/);
  expect(quoted.text.length).toBeLessThan(170);
});
