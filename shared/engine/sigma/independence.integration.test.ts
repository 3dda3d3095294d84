import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { loadTrees } from '../../../test/support/sigma-trees.ts';
import type { LogEvent } from '../events/log-event.ts';
import { Matcher } from '../matching/matcher.ts';
import { fileSource } from '../node.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import { holdsFlatly } from '../testing/flat-evaluator.ts';
import type { FlatRecord } from '../testing/flat-record.ts';
import { freshTables } from '../testing/read-all.ts';
import type { Rule } from './rule.ts';

interface Case {
  readonly case: string;
  readonly evtx: string;
}

type Scalars = Readonly<Record<string, string | number | null>>;

/** The layout of the JSON beside the cases: another program's reading of the same records. */
interface EventJson {
  readonly Event: {
    readonly System: Readonly<Record<string, string | number | null | { readonly '#attributes'?: Scalars }>>;
    readonly EventData?: Readonly<Record<string, string | number | null | object>>;
  };
}

const tables = freshTables();
/** Records of a file that are evaluated flatly, spread over it evenly. */
const spread = 40;

describeWithSharedData('an evaluator that shares only the compiled rules', () => {
  let rules: readonly Rule[];
  let matcher: Matcher;

  beforeAll(async () => {
    rules = (await loadTrees()).rules.rules;
    matcher = new Matcher(rules, tables);
  });

  const titles = (holds: (rule: Rule, number: number) => boolean): readonly string[] =>
    rules.filter(holds).map(({ title }) => title);

  it('finds in other programs’ JSON of each case what the engine finds in the log', async () => {
    const cases = JSON.parse(readFileSync(sharedData('sigma-regression', 'EXPECTED.json'), 'utf8')) as Case[];
    let records = 0;
    for (const { case: folder, evtx } of cases) {
      const json = readFileSync(sharedData('sigma-regression', folder, evtx.replace(/evtx$/, 'json')), 'utf8');
      const flat = documents(json).map(flatten);
      const found = await matchesIn(sharedData('sigma-regression', folder, evtx), matcher);
      const expected = flat.map((record) => titles((rule) => holdsFlatly(rule, record)));
      expect(found.map((matched) => titles((_, number) => matched.has(number)))).toEqual(expected);
      records += flat.length;
    }
    expect(records).toBeGreaterThan(124);
  });

  it('finds in real logs what the engine finds', { timeout: 120_000 }, async () => {
    const different: string[] = [];
    let matches = 0;
    for (const name of readdirSync(sharedData('evtx')).filter((one) => one.endsWith('.evtx'))) {
      const flat: FlatRecord[] = [];
      const found = await matchesIn(sharedData('evtx', name), matcher, (event) => flat.push(flatOf(event)));
      const every = Math.ceil(flat.length / spread);
      for (let at = 0; at < flat.length; at += every) {
        const expected = titles((rule) => holdsFlatly(rule, flat[at]!));
        const given = titles((_, number) => found[at]!.has(number));
        matches += expected.length;
        if (expected.join() !== given.join()) different.push(`${name} ${at}: ${given.join()} not ${expected.join()}`);
      }
    }
    expect(different).toEqual([]);
    expect(matches).toBeGreaterThan(200);
  });
});

/** Numbers of the rules that match each record of a log. */
async function matchesIn(path: string, matcher: Matcher, visit?: (event: LogEvent) => void): Promise<Set<number>[]> {
  const found: Set<number>[] = [];
  const source = await fileSource(path);
  await readEvtx(source, tables, (event) => {
    const matched = new Set<number>();
    matcher.match(event, (rule) => matched.add(rule));
    visit?.(event);
    found.push(matched);
  });
  await source.close();
  return found;
}

/** JSON documents that stand one after another, each beginning at the margin. */
function documents(text: string): EventJson[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n(?=\{)/)
    .filter((part) => part.trim() !== '')
    .map((part) => JSON.parse(part) as EventJson);
}

function flatten({ Event: { System, EventData = {} } }: EventJson): FlatRecord {
  const system: Record<string, string | number | null> = {};
  for (const [name, value] of Object.entries(System)) {
    if (value === null || typeof value !== 'object') system[name] = value;
    else
      for (const [attribute, one] of Object.entries(value['#attributes'] ?? {})) system[`${name}_${attribute}`] = one;
  }
  const data = Object.entries(EventData).filter(
    (entry): entry is [string, string | number | null] => typeof entry[1] !== 'object' || entry[1] === null,
  );
  return {
    channel: String(system.Channel),
    provider: String(system.Provider_Name),
    eventId: Number(system.EventID),
    system,
    data: Object.fromEntries(data),
  };
}

const systemName =
  /^(?:(?:Provider|TimeCreated|Execution|Security|Correlation)_\w+|EventID|Channel|Computer|EventRecordID|Version|Level|Task|Opcode|Keywords|Qualifiers)$/;

/** A record as the engine itself puts it out: without what is empty, data behind a System value of the same name. */
function flatOf(event: LogEvent): FlatRecord {
  const system: Record<string, FlatRecord['system'][string]> = {};
  const data: Record<string, FlatRecord['data'][string]> = {};
  for (const [name, value] of Object.entries(event.toRecord())) {
    const [first, ...others] = [value].flat();
    if (!systemName.test(name)) data[name] = value;
    else system[name] = first!;
    if (systemName.test(name) && others.length > 0) data[name] = others;
  }
  const { channel, eventId } = event.head();
  return { channel: channel ?? '', provider: event.route.provider, eventId: Number(eventId), system, data };
}
