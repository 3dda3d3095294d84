import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { getAgreement } from '@svc/application/report/get-agreement.ts';
import { takeRulePack } from '@svc/application/rules/take-rule-pack.ts';
import { builtInEngine, type Actor, type ExternalEngine } from '@svc/domain';
import { loadRules, type LoadedRules, type Rule } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { chainsawSide } from '../differential/chainsaw.ts';
import { compare } from '../differential/compare.ts';
import { hayabusaSide } from '../differential/hayabusa.ts';
import { ourPairs } from '../differential/ours.ts';
import type { Pairs } from '../differential/pairs.ts';
import type { Places, Side } from '../differential/side.ts';
import { zircoliteSide } from '../differential/zircolite.ts';
import { findPeer, hayabusaRules } from '../load/peers.ts';
import { copyWindowsRules, sigmaFolder } from '../load/peers-input.ts';
import { openEnginePorts, type EnginePorts } from '../support/engine-ports.ts';
import { describeWithEngine, programOf, type OtherEngine } from '../support/other-engines.ts';
import { sharedData } from '../support/shared-data.ts';

// Jobs of two engines over real logs: what the report says that each found is what the program itself prints, and why
// they differ is held against the causes that `npm run differential` works out record by record.

/** Of a machine that does much else. */
vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 600_000 });

const root = mkdtempSync(join(tmpdir(), 'svc-agreement-'));
const shared = sharedData('evtx');
/** A quick one; all of the shared data where this is set. */
const logs = !existsSync(shared)
  ? []
  : process.env['SVC_TEST_AGREEMENT'] === 'all'
    ? readdirSync(shared).filter((name) => name.endsWith('.evtx'))
    : ['sysmon-atomic-red-team.evtx'];
const rules = join(root, 'rules');
const processRules = join(root, 'process-rules');
const admin: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let opened: EnginePorts | undefined;
let ports: Ports;
let loaded: LoadedRules;
let byId: ReadonlyMap<string, Rule>;

beforeAll(async () => {
  const sigma = sigmaFolder();
  if (sigma === null) return;
  copyWindowsRules(sigma, rules);
  copyWindowsRules(sigma, processRules, 'process_creation');
  loaded = loadRules(await readRuleFiles([rules]));
  byId = new Map(loaded.rules.rules.map((rule) => [rule.id ?? '', rule]));
  opened = await openEnginePorts(root);
  ({ ports } = opened);
  const origin = { path: rules, fileName: 'sigma', source: 'sigma', url: null };
  await takeRulePack(ports, origin, { name: 'sigma', version: null }, null);
});
afterAll(async () => {
  await opened?.close();
  await rm(root, { recursive: true, force: true });
});

/** The agreement view of a job of the built-in engine and another. */
async function viewed(tool: ExternalEngine, keys: string, log: string) {
  const definition = `tasks: [{tool: ${builtInEngine}}, {tool: ${tool}, ${keys}, timeout: 3000}]`;
  await ports.workflows.seed([{ name: tool, description: '', logTypes: [], isDefault: false, definition }]);
  const workflow = (await ports.workflows.list()).find(({ name }) => name === tool)!;
  const content = readFileSync(join(shared, log));
  const id = await analyzeLog(ports, admin, { fileName: log, content, workflow_id: workflow.id });
  const { job } = (await ports.jobs.get(id))!;
  expect(job).toMatchObject({ status: 'completed', errorMessage: null });
  return getAgreement(ports, admin, { id });
}

/** How often each rule stands among pairs. */
function counted(pairs: Pairs): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of pairs) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

/** What a cause that a report tells is held against, by the rule. */
interface Told {
  readonly rule: string;
  readonly right: ReadonlySet<string>;
  readonly causes: readonly { readonly name: string; readonly certain: boolean }[];
}

const told: Told[] = [];
const isRight = ({ right, causes }: Told): boolean => causes.some(({ name }) => right.has(name));

function explains(tool: ExternalEngine, title: string, sideOf: (places: Places) => Side | null) {
  describeWithEngine(tool, title, (engine: OtherEngine) => {
    it.each(logs)('tells of %s what both find, and why they differ', async (log) => {
      const folder = join(root, tool, log);
      mkdirSync(join(folder, 'logs'), { recursive: true });
      const path = join(folder, 'logs', log);
      copyFileSync(join(shared, log), path);
      // Conversions of rules are kept there.
      const output = join(root, tool, 'output');
      const side = sideOf({ logs: join(folder, 'logs'), rules, processRules, output, reuse: false })!;
      const ours = await ourPairs([path], loaded);
      const differences = await compare([path], byId, ours, side);

      const program = join(folder, 'program');
      mkdirSync(program);
      const own = tool === 'evtx-timeline' ? `, rules_path: '${hayabusaRules(findPeer('hayabusa')!)}'` : '';
      const { engines, rules: rows } = await viewed(tool, `tool_path: '${programOf(engine, program)}'${own}`, log);
      const [here, there] = [builtInEngine, tool].map((name) => engines.findIndex((one) => one.tool === name));
      const countsOf = (at: number): Map<string, number> =>
        new Map(rows.flatMap(({ rule_id: id, found }) => (found[at] ? [[id ?? '', found[at].count]] : [])));
      expect(countsOf(here!)).toEqual(counted(ours));

      const theirs = counted(side.pairs);
      for (const { rule_id: id, rule_name: rule, found, causes } of rows) {
        if (id === null || !byId.has(id)) continue;
        expect([rule, found[there!]?.count ?? 0]).toEqual([rule, theirs.get(id) ?? 0]);
        const known = differences.filter(({ pair }) => pair.rule === id).flatMap((one) => one.causes);
        if (known.length > 0) told.push({ rule, right: new Set(known.map(({ name }) => name)), causes });
      }
      const wrong = told.filter(({ right, causes }) => causes.some(({ name, certain }) => certain && !right.has(name)));
      expect(wrong).toEqual([]);
    });
  });
}

explains('evtx-hunt', 'what a report says of Chainsaw', chainsawSide);
explains('sigma-multi', 'what a report says of Zircolite', zircoliteSide);
explains('evtx-timeline', 'what a report says of Hayabusa', hayabusaSide);
afterAll(() => {
  const rightly = told.filter(isRight).length;
  const silent = told.filter(({ causes }) => causes.length === 0).length;
  if (told.length > 0)
    console.log(
      `of ${told.length} differences ${rightly} told rightly, ${silent} not at all, ${told.length - rightly - silent} wrongly, as what may be`,
    );
});
