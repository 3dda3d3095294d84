import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { analyze } from '../analyze.ts';
import { fold } from '../events/value-table.ts';
import { fileSource, readRuleFiles } from '../node.ts';
import type { Expression, ValueTest } from './expression.ts';
import { type LoadedRules, loadRules, type RuleFile } from './load-rules.ts';
import type { RuleSet } from './rule-set.ts';
import { requiredLiterals } from './regex-literals.ts';
import { compileRegex } from './regex.ts';

type RegexTest = Extract<ValueTest, { kind: 'regex' }>;

function lacking(name: string): string {
  return `no values are configured for the placeholder %${name}%`;
}

const standardPlaceholders = ['Administrators', 'JumpServers', 'Workstations', 'Servers', 'DomainControllers'];

describeWithSharedData('the trees of SigmaHQ', () => {
  const trees = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-dfir', 'rules-compliance'];
  const files = new Map<string, RuleFile[]>();
  let loaded: LoadedRules;
  let coverage: { documents: Readonly<Record<string, number>> };

  beforeAll(async () => {
    coverage = JSON.parse(readFileSync(sharedData('sigma-rules', 'COVERAGE.json'), 'utf8')) as typeof coverage;
    for (const tree of Object.keys(coverage.documents)) {
      files.set(tree, await readRuleFiles([sharedData('sigma-rules', tree)]));
    }
    loaded = loadRules(trees.flatMap((tree) => files.get(tree) ?? []));
  });

  it('load, but for the two rules whose placeholders have no values', () => {
    expect(loaded.rejected.map(({ path, line, message }) => [basename(path), line, message])).toEqual([
      ['win_security_adcs_certighost_cdc_chase_request.yml', 57, lacking('known_cdcs')],
      ['win_security_adcs_certighost_cert_issued_via_chase.yml', 44, lacking('known_cdcs')],
    ]);
    expect(loaded.loaded).toBe(3755);
  });

  it('load completely where the placeholders have values', () => {
    const names = new Set(
      [...files.values()]
        .flat()
        .flatMap(({ text }) => [...text.matchAll(/%([\w-]+)%/g)].map(([, name]) => name!.toLowerCase())),
    );
    for (const name of standardPlaceholders) names.add(name.toLowerCase());
    const placeholders = new Map([...names].map((name) => [name, ['a', 'b*']]));
    const all = loadRules([...files.values()].flat(), { placeholders });
    expect(all.rejected).toEqual([]);
    expect(all.loaded).toBe(3757 + 23);
  });

  it('are refused in the placeholder tree, each with the name that it lacks', () => {
    const { rejected, loaded: count } = loadRules(files.get('rules-placeholder')!);
    expect(count).toBe(0);
    expect(rejected).toHaveLength(23);
    for (const { message, line } of rejected) {
      expect(message).toMatch(/no values are configured for the placeholder %/);
      expect(line).toBeGreaterThan(10);
    }
  });

  it('count as many rules in each tree as there are', () => {
    for (const [tree, count] of Object.entries(coverage.documents)) {
      const { loaded: active, rejected } = loadRules(files.get(tree)!);
      expect([tree, active + rejected.length]).toEqual([tree, count]);
    }
  });

  it('warn of what the specification says they warn of', () => {
    const kinds: Record<string, number> = {};
    for (const { message } of loaded.warnings) {
      const kind = message.replace(/“[^”]*”/g, '…');
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    expect(kinds).toEqual({});
  });

  describe('regular expressions', () => {
    const regexes = (): RegexTest[] => loaded.rules.rules.flatMap(({ expression }) => regexesOf(expression));

    it('all compile, and say of every text what the host’s own say', () => {
      expect(regexes()).toHaveLength(217);
      for (const test of regexes()) {
        const compiled = compileRegex(test.source, test.flags);
        for (const text of [...samplesOf(test), '', 'x', 'powershell -enc AAAA', '\n']) {
          expect([test.source, text, compiled(text)]).toEqual([test.source, text, hostRegExp(test).test(text)]);
        }
      }
    });

    it('name no literal that a match can lack', () => {
      let named = 0;
      for (const test of regexes()) {
        const sets = requiredLiterals(test.source).map((set) => set.map(fold));
        named += sets.length;
        for (const text of samplesOf(test)) {
          if (!hostRegExp(test).test(text)) continue;
          for (const set of sets)
            expect([test.source, text, set.some((one) => fold(text).includes(one))]).toEqual([test.source, text, true]);
        }
      }
      expect(named).toBeGreaterThan(100);
    });
  });

  it('give the same output for the same input, twice, and of rules loaded anew', async () => {
    const again = loadRules(trees.flatMap((tree) => files.get(tree) ?? []));
    const path = sharedData('evtx', 'sysmon-atomic-red-team.evtx');
    const first = await outputOf(path, loaded.rules);
    expect(await outputOf(path, loaded.rules)).toBe(first);
    expect(await outputOf(path, again.rules)).toBe(first);
    expect(first.length).toBeGreaterThan(10_000);
  });
});

async function outputOf(path: string, rules: RuleSet): Promise<string> {
  const source = await fileSource(path);
  try {
    return JSON.stringify(await analyze(source, { rules, logType: 'auto', maxSamples: 10 }));
  } finally {
    await source.close();
  }
}

function regexesOf(expression: Expression): RegexTest[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'test':
      return expression.test.kind === 'regex' ? [expression.test] : [];
    case 'not':
      return regexesOf(expression.of);
    default:
      return expression.of.flatMap(regexesOf);
  }
}

function hostRegExp({ source, flags }: RegexTest): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(source);
  return new RegExp(source.slice(inline?.[0].length ?? 0), [...new Set(flags + (inline?.[1] ?? ''))].join(''));
}

/** Texts that mostly match; look-around and word boundaries are left to chance. */
function samplesOf({ source }: RegexTest): readonly string[] {
  const plain = source
    .replace(/^\(\?[ims]+\)/, '')
    .replace(/\(\?<?[!=](?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/\\b/g, '');
  const sampled = fc.sample(fc.stringMatching(new RegExp(plain)), { numRuns: 20, seed: 1 });
  // White space beyond ASCII is such to the host, and not to the rules.
  return sampled.filter((text) => !/[^\S \t\n\f\r]/.test(text));
}
