import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../test/support/shared-data.ts';
import { loadTrees } from '../../test/support/sigma-trees.ts';
import { analyze } from './analyze.ts';
import { fileSource } from './node.ts';

interface Case {
  readonly case: string;
  readonly evtx: string;
  readonly rule_id: string;
  readonly exact: number;
}

describeWithSharedData('cases of SigmaHQ', () => {
  it('fire their rule exactly as often as they should, with all rules loaded', async () => {
    const cases = JSON.parse(readFileSync(sharedData('sigma-regression', 'EXPECTED.json'), 'utf8')) as Case[];
    const { rules } = await loadTrees();
    const wrong: string[] = [];
    for (const one of cases) {
      const source = await fileSource(sharedData('sigma-regression', one.case, one.evtx));
      const { findings } = await analyze(source, { rules, logType: 'auto', maxSamples: 1 });
      await source.close();
      const count = findings.find(({ ruleId }) => ruleId === one.rule_id)?.count ?? 0;
      if (count !== one.exact) wrong.push(`${one.case}: ${count} instead of ${one.exact}`);
    }
    expect(cases).toHaveLength(124);
    expect(wrong).toEqual([]);
  });
});
