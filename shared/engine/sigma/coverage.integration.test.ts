import { readdirSync, readFileSync, statSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { loadTrees } from '../../../test/support/sigma-trees.ts';
import { analyze } from '../analyze.ts';
import { logSamples } from '../testing/log-samples.ts';
import { sourceOf } from '../testing/read-all.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { categoryRows, serviceChannels, type WindowsRow } from '../testing/windows-rows.ts';
import { loadRules } from './load-rules.ts';
import type { LogSource } from './log-source.ts';

/** The list of the documentation: log sources that were only ever tried with a made-up log. */
function documented(): string[] {
  const text = readFileSync(new URL('../../../docs/log-sources.md', import.meta.url), 'utf8');
  const [, list = ''] = text.split('## Tried with made-up logs only');
  return [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).toSorted();
}

describeWithSharedData('log sources of the rules of SigmaHQ', () => {
  let sources: ReadonlyMap<string, LogSource>;
  let seen: ReadonlySet<string>;

  beforeAll(async () => {
    const { rules } = (await loadTrees()).rules;
    sources = new Map(rules.map(({ logSource }) => [nameOf(logSource), logSource]));
    seen = await reached(sources, realLogs());
  });

  it('have a log each, a real one but for those that the documentation lists', async () => {
    expect(sources.size).toBe(138);
    const lacking = new Map([...sources].filter(([name]) => !seen.has(name)));
    expect([...lacking.keys()].toSorted()).toEqual(documented());
    expect([...(await reached(lacking, madeUpLogs()))].toSorted()).toEqual([...lacking.keys()].toSorted());
  });
});

function nameOf({ product = '-', category = '-', service = '-' }: LogSource): string {
  return `${product}/${category}/${service}`;
}

/** Those of the log sources that a record of the logs satisfies. */
async function reached(sources: ReadonlyMap<string, LogSource>, logs: Iterable<Uint8Array>): Promise<Set<string>> {
  const text = [...sources].map(([name, source]) =>
    ruleOf('none: {Impossible: x}\ncondition: not none', JSON.stringify(source)).replace('Test', `'${name}'`),
  );
  const { rules } = loadRules([{ path: 'r.yml', text: text.join('---\n') }]);
  const names = new Set<string>();
  for (const bytes of logs) {
    try {
      const { findings } = await analyze(sourceOf(bytes), { rules, logType: 'auto', maxSamples: 1 });
      for (const { ruleName } of findings) names.add(ruleName);
    } catch {
      // Not a log, such as a description of others.
    }
  }
  return names;
}

function* realLogs(): Generator<Uint8Array> {
  for (const folder of ['logs', 'evtx', 'sigma-regression']) {
    for (const file of readdirSync(sharedData(folder), { recursive: true, encoding: 'utf8' }).toSorted()) {
      const path = sharedData(folder, file);
      if (/\.(?:md|xz)$|INDEX|EXPECTED/.test(file) || statSync(path).isDirectory()) continue;
      yield readFileSync(path);
    }
  }
}

function* madeUpLogs(): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const { log } of logSamples) yield encoder.encode(log);
  const windows = [
    ...Object.values(categoryRows).flat(),
    ...Object.values(serviceChannels)
      .flat()
      .map((channel) => ({ channel })),
  ];
  for (const { channel, provider = 'Provider', ids = [1], data } of windows as readonly WindowsRow[]) {
    const record = { Channel: channel, Provider_Name: provider, EventID: ids[0], Computer: 'PC', ...data };
    yield encoder.encode(JSON.stringify(record));
  }
}
