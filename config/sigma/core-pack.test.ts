import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { isNoisy } from '../../shared/domain/rule-pack.ts';
import { tactics } from '../../shared/domain/tactics.ts';
import { analyze, loadRules, severities, type Severity } from '../../shared/engine/index.ts';
import { sourceOf } from '../../shared/engine/testing/read-all.ts';

/** An event in JSON, or the lines of a log that has no such form. */
type Event = Readonly<Record<string, unknown>> | string;

const folder = fileURLToPath(new URL('./', import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yml'))
  .sort();
const pack = names.map((name) => {
  const text = readFileSync(folder + name, 'utf8');
  const cases = readFileSync(folder + name.replace(/\.yml$/, '.test.json'), 'utf8');
  return {
    name,
    text,
    /** What it reports comes first; what a correlation counts, behind it. */
    documents: loadAll(text) as Readonly<Record<string, unknown>>[],
    cases: JSON.parse(cases) as { readonly positive: readonly Event[]; readonly negative: readonly Event[] },
  };
});

/** Written by `npm run quality:rates`: matches of each rule in ordinary records, and in recordings of attacks. */
const rates = JSON.parse(readFileSync(`${folder}rates.json`, 'utf8')) as {
  readonly records: { readonly ordinary: number; readonly recordings: number };
  readonly rules: Readonly<Record<string, readonly [ordinary: number, recordings: number]>>;
};
const grave = new Set(['medium', 'high', 'critical']);
/** Matches per 50,000 records of a rule of medium level or above in recordings of attacks, where they may be right. */
const mostInRecordings = 5;

describe('the core pack', () => {
  const loaded = loadRules(pack.map(({ name, text }) => ({ path: name, text })));

  it('loads whole, without a warning and with input for every rule', () => {
    expect(loaded.rejected).toEqual([]);
    expect(loaded.warnings).toEqual([]);
    expect(loaded.withoutInput).toEqual({});
    expect(loaded.loaded).toBe(pack.reduce((sum, { text }) => sum + loadAll(text).length, 0));
  });

  it('covers what a first start without internet is to detect', () => {
    const rules = pack.flatMap(({ documents }) => documents);
    expect(rules.length).toBeGreaterThan(180);
    const sources = new Set(
      rules.map(({ logsource }) => Object.values((logsource ?? {}) as Record<string, string>).join(' ')),
    );
    const windows =
      'process_creation ps_script registry_set network_connection dns_query image_load pipe_created wmi_event ' +
      'security system windefend applocker taskscheduler wmi';
    for (const name of windows.split(' ')) expect(sources).toContain(`windows ${name}`);
    const linux = 'process_creation file_event auditd auth sshd sudo cron';
    for (const name of linux.split(' ')) expect(sources).toContain(`linux ${name}`);
    // Journald and Sysmon for Linux are other ways for events of the same log sources.
    const events = pack.flatMap(({ cases }) => cases.positive).map((event) => JSON.stringify(event));
    for (const kind of ['__CURSOR', 'Linux-Sysmon']) expect(events.some((event) => event.includes(kind))).toBe(true);
    expect(rules.filter((rule) => 'correlation' in rule).length).toBeGreaterThan(3);
  });

  it('explains what matches most often: what it means, what to check, what else matches', () => {
    const explained = pack.flatMap(({ documents }) => documents.flatMap(({ explanation }) => explanation ?? []));
    expect(explained.length).toBeGreaterThanOrEqual(100);
    for (const explanation of explained) {
      expect(explanation).toEqual({
        meaning: expect.stringMatching(/^.{20,160}\.$/),
        check: expect.arrayContaining([expect.stringMatching(/^.{8,120}[.?]$/)]),
        benign: expect.stringMatching(/^.{8,160}$/),
      });
    }
  });

  it('has ids, titles and file names of its own', () => {
    const rules = pack.flatMap(({ documents }) => documents);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(new Set(rules.map(({ title }) => title)).size).toBe(rules.length);
    expect(new Set(names.map((name) => name.split('/').at(-1))).size).toBe(pack.length);
  });

  it.each(pack)('$name says what it is and where it comes from', ({ documents }) => {
    for (const rule of documents) {
      expect(rule).toMatchObject({
        title: expect.stringMatching(/^.{10,100}$/),
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        status: expect.stringMatching(/^(test|stable)$/),
        description: expect.stringMatching(/^[\s\S]{40,400}$/),
        author: expect.stringMatching(/./),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        license: 'Apache-2.0',
      });
      expect(severities).toContain(rule.level);
      for (const key of ['falsepositives', 'references', 'tags']) expect(rule[key]).not.toHaveLength(0);
      for (const reference of rule.references as string[]) expect(reference).toMatch(/^https:\/\/\S+$/);
      const tags = rule.tags as string[];
      const known = new Set<string>(tactics.map((tactic) => `attack.${tactic.replaceAll('_', '-')}`));
      expect(tags.filter((tag) => !known.has(tag) && !/^attack\.t\d{4}(\.\d{3})?$/.test(tag))).toEqual([]);
      expect(tags.some((tag) => known.has(tag))).toBe(true);
      expect(tags.some((tag) => !known.has(tag))).toBe(true);
    }
  });

  it('has the measured rate of every rule, and none of medium level or above that is noisy', () => {
    // Behind a correlation stand the rules that it counts, which report nothing.
    const reporting = pack.flatMap(({ documents }) =>
      'correlation' in documents[0]! ? documents.slice(0, 1) : documents,
    );
    expect(Object.keys(rates.rules)).toEqual(reporting.map(({ id }) => id as string).sort());
    const noisy = reporting.filter(({ id, level }) => {
      const [ordinary, recordings] = rates.rules[id as string]!;
      if (!grave.has(level as string)) return false;
      const inRecordings = (recordings / rates.records.recordings) * 50_000;
      return isNoisy(level as Severity, ordinary, rates.records.ordinary) || inRecordings > mostInRecordings;
    });
    expect(noisy.map(({ title }) => title)).toEqual([]);
    expect(rates.records.ordinary).toBeGreaterThan(200_000);
  });

  it.each(pack)('$name matches its positive events and no negative one', async ({ name, text, documents, cases }) => {
    const { rules } = loadRules([{ path: name, text }]);
    const matching = async (events: readonly Event[]): Promise<readonly Event[]> => {
      const matched: Event[] = [];
      for (const event of events) {
        const log = typeof event === 'string' ? event : JSON.stringify(event);
        const source = sourceOf(new TextEncoder().encode(log));
        const analysis = await analyze(source, { rules, logType: 'auto', maxSamples: 1 });
        expect(analysis.events).toBe(log.split('\n').length);
        // A correlation counts the events of the rules that it watches.
        const once = 'correlation' in (documents[0] ?? {}) ? analysis.findings.length : analysis.findings[0]?.count;
        if (once === 1) matched.push(event);
      }
      return matched;
    };
    expect(cases.positive).not.toHaveLength(0);
    expect(cases.negative).not.toHaveLength(0);
    expect(await matching(cases.positive)).toEqual(cases.positive);
    expect(await matching(cases.negative)).toEqual([]);
  });
});
