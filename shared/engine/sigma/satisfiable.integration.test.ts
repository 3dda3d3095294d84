import { basename } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { Matcher } from '../matching/matcher.ts';
import { readRuleFiles } from '../node.ts';
import { type FakeRecord, fakeEvent } from '../testing/fake-event.ts';
import { plainlyHolds } from '../testing/plain-evaluator.ts';
import { freshTables } from '../testing/read-all.ts';
import { type Data, satisfyingData } from '../testing/satisfying-data.ts';
import { anyProductRows, categoryRows, serviceChannels, type WindowsRow } from '../testing/windows-rows.ts';
import { type LoadedRules, loadRules } from './load-rules.ts';
import type { LogSource } from './log-source.ts';
import type { Rule } from './rule.ts';

const trees = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'];
const mostTries = 400;

/** Rules that no single record can satisfy, and why. */
const unsatisfiable: Readonly<Record<string, string>> = {
  'proc_creation_win_xwizard_runwizard_com_object_exec.yml': 'its CommandLine is to be RunWizard and to hold a GUID',
};

describeWithSharedData('rules of SigmaHQ for Windows', () => {
  let loaded: LoadedRules;
  let rules: readonly Rule[];
  const tables = freshTables();
  let matcher: Matcher;

  beforeAll(async () => {
    loaded = loadRules(await readRuleFiles(trees.map((tree) => sharedData('sigma-rules', tree))));
    rules = loaded.rules.rules;
    matcher = new Matcher(rules, tables);
  });

  const matched = (record: FakeRecord): Set<Rule> => {
    const found = new Set<Rule>();
    tables.values.nextRecord();
    matcher.match(fakeEvent(tables, record), (rule) => found.add(rules[rule]!));
    return found;
  };
  const plainly = (rule: Rule, record: FakeRecord): boolean =>
    plainlyHolds(rule, fakeEvent(tables, record), tables.fields);

  it('each match a record made from their own patterns, and not all that is like it', () => {
    const failures: string[] = [];
    let tried = 0;
    for (const rule of rules) {
      const rows = rowsOf(rule.logSource);
      if (rows.length === 0) continue;
      tried++;
      const record = satisfying(rule, rows, (one) => plainly(rule, one));
      if (basename(rule.path) in unsatisfiable) {
        if (record !== null) failures.push(`${rule.path}: matches after all ${JSON.stringify(record)}`);
      } else if (record === null) failures.push(`${rule.path}: no record found`);
      else if (!matched(record).has(rule)) failures.push(`${rule.path}: ${JSON.stringify(record)}`);
      else {
        const near = nearMisses(record);
        const unlike = near.filter((one) => matched(one).has(rule) !== plainly(rule, one));
        failures.push(...unlike.map((one) => `${rule.path}: differs on ${JSON.stringify(one)}`));
        if (near.every((one) => plainly(rule, one))) failures.push(`${rule.path}: matches whatever is left out`);
      }
    }
    expect(failures).toEqual([]);
    const unreachable = Object.values(loaded.withoutInput).reduce((sum, count) => sum + count, 0);
    expect(tried).toBe(loaded.loaded - unreachable);
    expect(tried).toBeGreaterThan(2800);
  });
});

/** Kinds of records that a rule's log source means; none when it is not for Windows. */
function rowsOf({ product, category, service }: LogSource): readonly WindowsRow[] {
  if (category !== undefined && product === undefined) return anyProductRows[category] ?? [];
  if (product === 'rpc_firewall') return [{ channel: 'Application', provider: 'RPCFW' }];
  if (product !== 'windows') return [];
  if (category !== undefined) return categoryRows[category] ?? [];
  if (service !== undefined) return (serviceChannels[service] ?? []).map((channel) => ({ channel }));
  return [{ channel: 'Application' }];
}

/** A record that a rule holds for; null when none was found in reasonable time. */
function satisfying(
  rule: Rule,
  rows: readonly WindowsRow[],
  holds: (record: FakeRecord) => boolean,
): FakeRecord | null {
  let tries = 0;
  for (const data of satisfyingData(rule.expression)) {
    for (const { channel, provider = 'Provider', ids = [Number(data.EventID ?? 1)], data: asked } of rows) {
      for (const eventId of ids) {
        for (const record of recordsOf(data, channel, provider, eventId, asked)) if (holds(record)) return record;
        if (++tries > mostTries) return null;
      }
    }
  }
  return null;
}

/** Records of this data, which decides channel and provider itself or has values of those names. */
function recordsOf(data: Data, channel: string, provider: string, eventId: number, asked?: Data): FakeRecord[] {
  const { EventID: _, ...own } = data;
  const { Channel = channel, Provider_Name = provider, ...others } = own;
  return [
    { channel: Channel, eventId, provider: Provider_Name, data: { ...asked, ...others } },
    { channel, eventId, provider, data: { ...asked, ...own } },
  ];
}

/** The record with each of its values left out or changed, and as another event. */
function nearMisses(record: FakeRecord): FakeRecord[] {
  const data = record.data ?? {};
  const without = Object.keys(data).flatMap((name) => [
    { ...record, data: Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)) },
    { ...record, data: { ...data, [name]: `${String(data[name]).slice(1)}-` } },
    { ...record, data: { ...data, [name]: '' } },
  ]);
  return [...without, { ...record, eventId: 65_000 }, { ...record, channel: 'Nothing', provider: 'Nobody' }];
}
