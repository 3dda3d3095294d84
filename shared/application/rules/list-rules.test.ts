import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { getRule } from './get-rule.ts';
import { listRules } from './list-rules.ts';
import { overrideRule } from './override-rule.ts';
import { takeRulePack } from './take-rule-pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-catalog-'));
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const idOf = (last: number): string => `2F3C1A10-0000-4000-8000-00000000000${last}`;
const everything = { name: 'own', page: 1, decided: false, order: 'title' as const };
let test: TestPorts;
let ports: Ports;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  admin = await addAdmin(ports);
  await takePack();
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const rule = (last: number, title: string, tags: string, source: string): string => `title: ${title}
id: ${idOf(last)}
status: stable
level: high
author: J. Doe
tags: [${tags}]
logsource: { ${source} }
detection: { s: { Image|endswith: '\\r${last}.exe' }, condition: s }
`;

async function takePack(): Promise<void> {
  const path = mkdtempSync(join(folder, 'pack-'));
  const files = {
    'a.yml': rule(
      1,
      'Dump of LSASS',
      'attack.credential-access, attack.t1003.001',
      'product: windows, category: process_creation',
    ),
    'b.yml': rule(2, 'Cron Job', 'attack.persistence', 'product: linux, service: cron'),
    'c.yml': `${rule(3, 'Base', 'attack.discovery', 'product: windows, category: process_creation')}name: base
---
title: Many Of Base
id: ${idOf(4)}
level: critical
correlation: { type: event_count, rules: [base], group-by: [Computer], timespan: 5m, condition: { gte: 3 } }
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  await takeRulePack(
    ports,
    { path, fileName: 'own.zip', source: 'own.zip', url: null },
    { name: 'own', version: '1' },
    null,
  );
}

async function titles(query: Partial<Parameters<typeof listRules>[2]>): Promise<string[]> {
  return (await listRules(ports, admin, { ...everything, ...query })).rules.map(({ title }) => title);
}

it('lists rules and correlations with what the pack covers, as the contract says', async () => {
  const list = await listRules(ports, admin, everything);
  expect(operations.listRules.output.parse(list)).toEqual(list);
  expect(list).toMatchObject({
    version: '1',
    total: 4,
    total_pages: 1,
    coverage: { techniques: { T1003: 1, 'T1003.001': 1 }, matrix: { credential_access: ['T1003'], persistence: [] } },
    statuses: [{ name: 'stable', rules: 3 }],
    log_sources: [{ name: 'process_creation', rules: 2 }, { name: 'windows', rules: 2 }, {}, {}, {}],
  });
  expect(list.coverage.tactics).toMatchObject({ credential_access: 1, persistence: 1, impact: 0 });
  expect(list.rules.map(({ title }) => title)).toEqual(['Base', 'Cron Job', 'Dump of LSASS', 'Many Of Base']);
  expect(list.rules.at(-1)).toMatchObject({
    rule_id: idOf(4).toLowerCase(),
    log_source: null,
    status: null,
    level: 'critical',
  });
  expect(list.rules.every(({ rule_id: id }) => id !== undefined)).toBe(true);
});

it('finds rules by text, level, technique, tactic and log source', async () => {
  expect(await titles({ q: 'LSASS' })).toEqual(['Dump of LSASS']);
  expect(await titles({ q: idOf(2).toLowerCase() })).toEqual(['Cron Job']);
  expect(await titles({ technique: 'T1003' })).toEqual(['Dump of LSASS']);
  expect(await titles({ tactic: 'persistence' })).toEqual(['Cron Job']);
  expect(await titles({ log_source: 'linux' })).toEqual(['Cron Job']);
  expect(await titles({ log_source: 'correlation' })).toEqual(['Many Of Base']);
  expect(await titles({ level: 'critical' })).toEqual(['Many Of Base']);
  expect(await titles({ status: 'stable', q: 'base' })).toEqual(['Base']);
  expect(await titles({ status: 'test' })).toEqual([]);
  expect(await titles({ q: 'nothing like it' })).toEqual([]);
  expect((await listRules(ports, admin, { ...everything, page: 9 })).page).toBe(1);
  await expect(listRules(ports, admin, { ...everything, name: 'other' })).rejects.toMatchObject({ code: 'not_found' });
});

it('shows what was decided about rules, and finds them by it', async () => {
  await overrideRule(ports, admin, { name: 'own', rule_id: idOf(1).toLowerCase(), enabled: true, level: 'low' });
  await overrideRule(ports, admin, { name: 'own', rule_id: idOf(2).toLowerCase(), enabled: false, level: null });
  const { rules } = await listRules(ports, admin, { ...everything, decided: true });
  expect(rules).toMatchObject([
    { title: 'Cron Job', enabled: false, level_override: null },
    { title: 'Dump of LSASS', enabled: true, level: 'high', level_override: 'low' },
  ]);
  expect(await titles({ level: 'low' })).toEqual(['Dump of LSASS']);
});

it('tells of one rule its source and the jobs in which it fired', async () => {
  test.engine.behave = async () => output({ findings: [finding({ ruleId: idOf(1).toLowerCase(), count: 7 })] });
  const job_id = await analyzeLog(ports, admin, { is_private: true });

  const one = { name: 'own', rule_id: idOf(1).toLowerCase() };
  const told = await getRule(ports, admin, one);
  expect(operations.getRule.output.parse(told)).toEqual(told);
  expect(told).toMatchObject({
    title: 'Dump of LSASS',
    source: expect.stringContaining('J. Doe'),
    fired: [{ job_id, filename: 'Security.evtx', count: 7 }],
  });
  expect((await getRule(ports, visitor, one)).fired).toEqual([]);
  expect(await titles({ fired: true })).toEqual(['Dump of LSASS']);
  expect(await titles({ fired: false })).toEqual(['Base', 'Cron Job', 'Many Of Base']);
  const seen = await listRules(ports, visitor, { ...everything, fired: true });
  expect(seen.rules).toEqual([]);
  await expect(getRule(ports, admin, { ...one, rule_id: 'none' })).rejects.toMatchObject({ code: 'not_found' });
});

it('tells how often rules matched of late in jobs that the viewer sees, and which are noisy', async () => {
  const hits = (ruleId: string, count: number) => finding({ ruleId, ruleName: ruleId, count });
  test.engine.behave = async () => output({ findings: [hits(idOf(1).toLowerCase(), 7)], events: 60_000 });
  await analyzeLog(ports, visitor);
  test.engine.behave = async () => output({ findings: [hits(idOf(2), 500)], events: 10 });
  await analyzeLog(ports, admin, { is_private: true });
  const told = await listRules(ports, admin, { ...everything, order: 'events' });
  expect(told.recent).toMatchObject({ jobs: 2, records: 60_010 });
  expect(told.rules.slice(0, 2)).toMatchObject([
    { title: 'Cron Job', recent: { events: 500, jobs: 1, is_noisy: true } },
    { title: 'Dump of LSASS', recent: { events: 7, jobs: 1, is_noisy: true } },
  ]);
  expect(await titles({ order: 'noisy' })).toEqual(['Cron Job', 'Dump of LSASS']);
  const email = 'ada@example.org';
  const { id: userId } = await ports.accounts.create({ email, passwordHash: 'x', role: 'member', displayName: null });
  const member: Actor = { kind: 'account', userId, email, role: 'member', ip: '' };
  const open = await listRules(ports, member, { ...everything, order: 'events' });
  expect(open.recent).toMatchObject({ jobs: 1, records: 60_000 });
  expect(open.rules.slice(0, 2)).toMatchObject([
    { title: 'Dump of LSASS', recent: { events: 7 } },
    { recent: { events: 0, jobs: 0, is_noisy: false } },
  ]);
  // At a lower level it is meant to be more frequent.
  await overrideRule(ports, admin, { name: 'own', rule_id: idOf(1).toLowerCase(), enabled: true, level: 'low' });
  expect(await titles({ order: 'noisy' })).toEqual(['Cron Job']);
});

it('tells what rules took of late in jobs that the viewer sees and that were measured, the slow ones first', async () => {
  const costs = (ms: number) => ({ ms: 80, rules: [{ id: idOf(1).toLowerCase(), tries: 640, ms }] });
  const [lsass, cron] = [finding({ ruleId: idOf(1).toLowerCase() }), finding({ ruleId: idOf(2).toLowerCase() })];
  test.engine.behave = async () => output({ findings: [cron], events: 5000 });
  await analyzeLog(ports, visitor);
  test.engine.behave = async () => output({ findings: [lsass], events: 20_000, ruleCosts: costs(2) });
  await analyzeLog(ports, visitor);
  test.engine.behave = async () => output({ events: 20_000, ruleCosts: costs(38) });
  await analyzeLog(ports, admin, { is_private: true });

  const told = await listRules(ports, admin, { ...everything, order: 'slow' });
  expect(operations.listRules.output.parse(told)).toEqual(told);
  expect(told.recent).toEqual({ jobs: 3, records: 45_000, measured_jobs: 2, measured_records: 40_000 });
  const nothing = { tries: 0, ms_per_million: 0, share: 0 };
  expect(told.rules.slice(0, 2)).toMatchObject([
    { title: 'Dump of LSASS', recent: { tries: 1280, ms_per_million: 1000, share: 0.25 } },
    { recent: nothing },
  ]);
  const one = { name: 'own', rule_id: idOf(1).toLowerCase() };
  expect(await getRule(ports, visitor, one)).toMatchObject({
    recent: { tries: 640, ms_per_million: 100, share: 0.025 },
    recent_jobs: { jobs: 2, measured_jobs: 1, measured_records: 20_000 },
  });
});
