import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadRules } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { benchLogs, copyWindowsRules, sharedLogs, sigmaFolder } from '../load/peers-input.ts';
import { chainsawSide } from './chainsaw.ts';
import { compare, type Difference } from './compare.ts';
import { hayabusaSide } from './hayabusa.ts';
import { ourPairs } from './ours.ts';
import { report } from './report.ts';
import type { Places } from './side.ts';
import { zircoliteSide } from './zircolite.ts';

const { values } = parseArgs({
  options: { reuse: { type: 'boolean', default: false }, list: { type: 'string' } },
});

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Compares what the engine finds with what each peer here finds; resolves to the number of unexplained pairs. */
async function main(): Promise<number> {
  const folder = join(tmpdir(), 'svc-differential');
  const places: Places = {
    logs: join(folder, 'logs'),
    rules: join(folder, 'rules'),
    processRules: join(folder, 'process-rules'),
    output: join(folder, 'output'),
    reuse: values.reuse,
  };
  const logs = [...sharedLogs(places.logs), ...benchLogs(places.logs)];
  const sigma = sigmaFolder();
  if (sigma === null || logs.length === 0) {
    say('skipped: no shared logs, or no SigmaHQ rules');
    return 0;
  }
  copyWindowsRules(sigma, places.rules);
  copyWindowsRules(sigma, places.processRules, 'process_creation');
  const loaded = loadRules(await readRuleFiles([places.rules]));
  const ours = await ourPairs(logs, loaded);
  const rules = new Map(loaded.rules.rules.map((rule) => [rule.id ?? '', rule]));
  say(`${logs.length} logs, ${loaded.loaded} rules in force, ${ours.size} (rule, record) pairs`);
  let unexplained = 0;
  for (const [name, sideOf] of Object.entries({ hayabusaSide, chainsawSide, zircoliteSide })) {
    const side = sideOf(places);
    if (side === null) {
      say(`\nskipped: no ${name.replace('Side', '')} here`);
      continue;
    }
    const differences: Difference[] = await compare(logs, rules, ours, side);
    unexplained += differences.filter(({ causes }) => causes.length === 0).length;
    say(report(side, ours, differences, rules, values.list));
  }
  return unexplained;
}

process.exitCode = (await main()) === 0 ? 0 : 1;
