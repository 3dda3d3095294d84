import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import { logSamples } from '../testing/log-samples.ts';
import { sourceOf } from '../testing/read-all.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { loadRules } from './load-rules.ts';

const anything = 'none: {Impossible: x}\ncondition: not none';

/** How many rules of the log source take the log. */
async function taken(logSource: object, log: string): Promise<number> {
  const { rules } = loadRules([{ path: 'r.yml', text: ruleOf(anything, JSON.stringify(logSource)) }]);
  const source = sourceOf(new TextEncoder().encode(log));
  const { findings, problems } = await analyze(source, { rules, logType: 'auto', maxSamples: 1 });
  expect(problems).toEqual([]);
  return findings.length;
}

describe('log sources of other products (1.2.4)', () => {
  it.each(logSamples)('$product/$category/$service takes what satisfies it', async ({ log, ...logSource }) => {
    expect(await taken(logSource, log)).toBe(1);
    expect(await taken(Object.fromEntries(Object.entries(logSource).slice(0, 1)), log)).toBe(1);
    expect(await taken({ ...logSource, product: 'windows' }, log)).toBe(0);
    expect(await taken({ ...logSource, service: 'nowhere' }, log)).toBe(0);
  });
});
