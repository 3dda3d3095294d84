import { basename } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { describeWithSharedData } from '../../../test/support/shared-data.ts';
import { loadTrees } from '../../../test/support/sigma-trees.ts';
import { Matcher } from '../matching/matcher.ts';
import { type FakeRecord, fakeEvent } from '../testing/fake-event.ts';
import { plainlyHolds } from '../testing/plain-evaluator.ts';
import { freshTables } from '../testing/read-all.ts';
import { type Data, satisfyingData } from '../testing/satisfying-data.ts';
import { anyProductRows, categoryRows, serviceChannels, type WindowsRow } from '../testing/windows-rows.ts';
import { compileDetection } from './detection.ts';
import type { Expression } from './expression.ts';
import type { LogSource } from './log-source.ts';
import { RuleContext } from './rule-context.ts';
import type { Rule } from './rule.ts';
import { readDocuments } from './yaml-documents.ts';

const mostTries = 400;

/** Rules that no single record can satisfy, and why. */
const unsatisfiable: Readonly<Record<string, string>> = {
  'proc_creation_win_xwizard_runwizard_com_object_exec.yml': 'its CommandLine is to be RunWizard and to hold a GUID',
};

describeWithSharedData('rules of SigmaHQ', () => {
  let rules: readonly Rule[];
  const tables = freshTables();
  let matcher: Matcher;

  beforeAll(async () => {
    rules = (await loadTrees()).rules.rules;
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
    const tried = { windows: 0, others: 0 };
    for (const rule of rules) {
      tried[rowsOf(rule.logSource).length > 0 ? 'windows' : 'others']++;
      const record = satisfying(rule, (one) => plainly(rule, one));
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
    // Together 3,755, of which one cannot be satisfied: 1.2.1, 1.2.2, antivirus, dns and rpc_firewall; then all others; two rules lack placeholders.
    expect(tried).toEqual({ windows: 2473 + 385 + 9 + 11 + 17 - 2, others: 899 - 9 - 11 - 17 });
  });

  it('have identifiers each of which holds for such a record and not for all', () => {
    const failures: string[] = [];
    const identifiers = rules.flatMap(identifiersOf);
    const each = new Matcher(identifiers, tables);
    for (const [place, identifier] of identifiers.entries()) {
      if (basename(identifier.path) in unsatisfiable) continue;
      const holds = (record: FakeRecord): boolean => plainly(identifier, record);
      const found = (record: FakeRecord): boolean => {
        const matching: number[] = [];
        tables.values.nextRecord();
        each.match(fakeEvent(tables, record), (one) => matching.push(one));
        return matching.includes(place);
      };
      const record = satisfying(identifier, holds);
      if (record === null) failures.push(`${identifier.title}: no record found`);
      else if (!found(record)) failures.push(`${identifier.title}: ${JSON.stringify(record)}`);
      else if (!misses(record, identifier).some((one) => !holds(one) && !found(one)))
        failures.push(`${identifier.title}: holds for all that is like ${JSON.stringify(record)}`);
    }
    expect(failures).toEqual([]);
    expect(identifiers).toHaveLength(7883);
  });
});

/** Each identifier of a rule's detection as a rule of its own. */
function identifiersOf(rule: Rule): Rule[] {
  const [document] = readDocuments(rule.source);
  if (document === undefined || 'message' in document) throw new Error(`${rule.path} cannot be read`);
  const { detection } = document.value as { readonly detection: Readonly<Record<string, unknown>> };
  const { condition: _, ...named } = detection;
  return Object.entries(named).map(([name, value]) => {
    const context = new RuleContext(new Map(), () => undefined);
    const expression = compileDetection({ it: value, condition: 'it' }, context);
    return { ...rule, title: `${rule.path} ${name}`, expression };
  });
}

/** Records of the same log source without one of the values, or with another for a field that is asked for. */
function misses(record: FakeRecord, { expression }: Rule): FakeRecord[] {
  const data = record.data ?? {};
  const fields = fieldsOf(expression);
  const other = (names: readonly string[]): FakeRecord => ({
    ...record,
    data: { ...data, ...Object.fromEntries(names.map((name) => [name, 'something else'])) },
  });
  const { eventId = 0 } = record;
  const elsewhere = { channel: 'Else', provider: 'Else', eventId: eventId + 1 };
  const asksForRoute = fields.some((field) => /^(?:EventID|Channel|Provider_Name)$/i.test(field));
  return [
    ...nearMisses(record).slice(0, -2),
    ...fields.map((field) => other([field])),
    other(fields),
    ...(asksForRoute ? [{ ...record, ...elsewhere }] : []),
  ];
}

function fieldsOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'test':
      return expression.field === null ? [] : [expression.field];
    case 'not':
      return fieldsOf(expression.of);
    default:
      return [...new Set(expression.of.flatMap(fieldsOf))];
  }
}

/** Kinds of Windows records that a rule's log source means; none when it is for something else. */
function rowsOf({ product, category, service }: LogSource): readonly WindowsRow[] {
  if (category !== undefined && product === undefined) return anyProductRows[category] ?? [];
  if (product === 'rpc_firewall') return [{ channel: 'Application', provider: 'RPCFW' }];
  if (product !== 'windows') return [];
  if (category !== undefined) return categoryRows[category] ?? [];
  if (service !== undefined) return (serviceChannels[service] ?? []).map((channel) => ({ channel }));
  return [{ channel: 'Application' }];
}

/** A record that a rule holds for; null when none was found in reasonable time. */
function satisfying({ logSource, expression }: Rule, holds: (record: FakeRecord) => boolean): FakeRecord | null {
  let tries = 0;
  for (const data of satisfyingData(expression)) {
    const found = recordsOf(logSource, data).find(holds);
    if (found !== undefined) return found;
    if (++tries > mostTries) break;
  }
  return null;
}

/** Records of a log source with this data, which decides channel and provider itself or has values of those names. */
function recordsOf(logSource: LogSource, data: Data): FakeRecord[] {
  const { EventID = '1', ...own } = data;
  const { Channel, Provider_Name, ...others } = own;
  const rows = rowsOf(logSource);
  if (rows.length === 0) return [{ facts: logSource, data }];
  return rows.flatMap(({ channel, provider = 'Provider', ids = [Number(EventID)], data: asked }) =>
    ids.flatMap((eventId) => [
      { channel: Channel ?? channel, provider: Provider_Name ?? provider, eventId, data: { ...asked, ...others } },
      { channel, provider, eventId, data: { ...asked, ...own } },
    ]),
  );
}

/** The record with each of its values left out or changed, and as of something else. */
function nearMisses(record: FakeRecord): FakeRecord[] {
  const data = record.data ?? {};
  const without = Object.keys(data).flatMap((name) => [
    { ...record, data: Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)) },
    { ...record, data: { ...data, [name]: `${String(data[name]).slice(1)}-` } },
    { ...record, data: { ...data, [name]: '' } },
  ]);
  const elsewhere = record.facts ? { facts: { product: 'none' } } : { channel: 'Nothing', provider: 'Nobody' };
  return [...without, { ...record, eventId: 65_000 }, { ...record, ...elsewhere }];
}
