import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { loadTrees } from '../../../test/support/sigma-trees.ts';
import { ValueTable } from '../events/value-table.ts';
import { fileSource } from '../node.ts';
import type { EventTables } from '../readers/reader.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import { packRules, unpackRules } from '../sigma/artifact.ts';
import type { Rule } from '../sigma/rule.ts';
import { rowsFor, rowsOf } from '../sigma/source-rows.ts';
import { plainlyHolds } from '../testing/plain-evaluator.ts';
import { freshTables } from '../testing/read-all.ts';
import { Matcher } from './matcher.ts';

/** Records of a file that are evaluated the plain way too, spread over it evenly. */
const plainRecords = 300;

interface Compared {
  readonly plain: number;
  readonly matches: number;
  readonly different: readonly string[];
}

describeWithSharedData('the matcher', () => {
  it('finds in real logs what the plain evaluator finds, rule by rule', { timeout: 600_000 }, async () => {
    const { rules } = await loadTrees();
    const files = readdirSync(sharedData('evtx')).filter((name) => name.endsWith('.evtx'));
    const all: Compared[] = [];
    const packed = packRules(rules);
    for (const name of files) all.push(await compare(name, rules.rules, packed));
    expect(files.length).toBeGreaterThan(35);
    expect(all.flatMap(({ different }) => different)).toEqual([]);
    const sum = (key: 'plain' | 'matches'): number => all.reduce((total, one) => total + one[key], 0);
    expect(sum('plain')).toBeGreaterThan(3000);
    expect(sum('matches')).toBeGreaterThan(500);
  });
});

/** Matches a file with and without room to remember values, then with rules written down, and some of its records the plain way. */
async function compare(name: string, rules: readonly Rule[], packed: Uint8Array): Promise<Compared> {
  const path = sharedData('evtx', name);
  const every = Math.ceil((await matchAll(path, rules, freshTables())).length / plainRecords);
  const cramped = await matchAll(path, unpackRules(packed).rules, {
    ...freshTables(),
    values: new ValueTable(300_000),
  });
  const different: string[] = [];
  let plain = 0;
  let matches = 0;
  const candidates = new Map<number, readonly number[]>();
  const tables = freshTables();
  const found = await matchAll(path, rules, tables, (event, matched, index) => {
    if (index % every !== 0) return;
    plain++;
    let numbers = candidates.get(event.route.index);
    if (numbers === undefined) candidates.set(event.route.index, (numbers = applicable(rules, rowsOf(event.route))));
    const holding = numbers.filter((number) => plainlyHolds(rules[number]!, event, tables.fields));
    matches += holding.length;
    const titles = (list: readonly number[]): string => list.map((number) => rules[number]!.title).join(', ');
    if (titles(holding) !== titles(matched)) {
      different.push(`${name} at ${event.offset}: ${titles(matched)} instead of ${titles(holding)}`);
    }
  });
  found.forEach((matched, index) => {
    if (matched !== cramped[index]) different.push(`${name}, record ${index}: other rules without memory`);
  });
  return { plain, matches, different };
}

type Visit = (event: Parameters<Matcher['match']>[0], matched: readonly number[], index: number) => void;

/** The rules that match each record of a file, as text. */
async function matchAll(path: string, rules: readonly Rule[], tables: EventTables, visit?: Visit): Promise<string[]> {
  const matcher = new Matcher(rules, tables);
  const found: string[] = [];
  const source = await fileSource(path);
  await readEvtx(source, tables, (event) => {
    const matched: number[] = [];
    matcher.match(event, (rule) => matched.push(rule));
    matched.sort((a, b) => a - b);
    visit?.(event, matched, found.length);
    found.push(matched.join(' '));
  });
  await source.close();
  return found;
}

function applicable(rules: readonly Rule[], rows: ReturnType<typeof rowsOf>): number[] {
  return rules.flatMap(({ logSource }, number) => (rowsFor(logSource, rows).length > 0 ? [number] : []));
}
