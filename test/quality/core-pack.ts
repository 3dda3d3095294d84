import { type Finding, severities } from '@svc/engine';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { tellCollections, tellNoise } from './collections.ts';
import { agreeing, isGrave, say, techniquesOf } from './findings.ts';
import { filesBelow, findingsIn, type Read, rulesOf, writeOrdinaryWork } from './logs.ts';
import { loadingOf } from './pack-loading.ts';

// How good the core pack is, on public logs of attacks and on logs of ordinary work (docs/rules.md). What a log
// of attacks holds is told by the rules of SigmaHQ: the techniques of their findings of medium level or worse,
// or those of the rule that a regression case is made for.

const root = process.cwd();
const data = join(root, '..', 'shared', 'data');

interface Case {
  readonly path: string;
  /** Techniques that a finding must have one of to be relevant; null to go by SigmaHQ's findings. */
  readonly techniques: ReadonlySet<string> | null;
  /** @default the file's */
  readonly name?: string;
}

interface Outcome {
  readonly name: string;
  readonly events: number;
  readonly expected: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

const core = await rulesOf(join(root, 'config', 'sigma'));
const sigmaHq = await rulesOf(join(data, 'sigma-rules'));

const isTold = ({ severity }: Finding): boolean => severities.indexOf(severity) <= severities.indexOf('low');

async function outcomeOf({ path, techniques, name = basename(path) }: Case): Promise<Outcome> {
  const { events, findings } = await findingsIn(path, core);
  const reference =
    techniques ??
    new Set((await findingsIn(path, sigmaHq)).findings.filter(isGrave).flatMap(({ tags }) => techniquesOf(tags)));
  return { name, events, expected: reference, findings: findings.filter(isTold) };
}

function isRelevant({ expected, findings }: Outcome): boolean {
  return agreeing(findings, expected);
}

function regressionCases(): Case[] {
  const rules = new Map(sigmaHq.rules.map((rule) => [rule.id, rule]));
  return filesBelow(join(data, 'sigma-regression'), /\.evtx$/).map((path) => {
    const id = /id: ([0-9a-f-]{36})/.exec(
      readFileSync(join(dirname(path), 'info.yml'), 'utf8').split('rule_metadata')[1] ?? '',
    );
    const rule = rules.get(id?.[1] ?? '');
    return { path, name: rule?.title ?? basename(path), techniques: new Set(techniquesOf(rule?.tags ?? [])) };
  });
}

async function outcomesOf(cases: readonly Case[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    const outcome = await outcomeOf(one).catch(() => null);
    if (outcome) outcomes.push(outcome);
  }
  return outcomes;
}

function tellAttacks(title: string, outcomes: readonly Outcome[]): void {
  const attacks = outcomes.filter(({ expected }) => expected.size > 0);
  const relevant = attacks.filter(isRelevant);
  const any = attacks.filter(({ findings }) => findings.length > 0);
  say(`${title}: ${relevant.length} of ${attacks.length} files with a relevant finding, ${any.length} with any`);
  for (const { name, expected } of attacks.filter((one) => !isRelevant(one)))
    say(`  missed ${name} ${[...expected].join(' ')}`);
}

function tellOrdinary(title: string, outcomes: readonly Outcome[]): void {
  const events = outcomes.reduce((sum, one) => sum + one.events, 0);
  const loud = outcomes.filter(({ findings }) => findings.length > 0);
  const found = loud.flatMap(({ findings }) => findings);
  const matched = found.reduce((sum, { count }) => sum + count, 0);
  say(
    `${title}: ${found.length} findings (${matched} events) in ${loud.length} of ${outcomes.length} logs, ${events} events`,
  );
  for (const { name, findings } of loud) {
    say(`  ${name}: ${findings.map(({ severity, ruleName, count }) => `${severity} ${ruleName} ${count}`).join(', ')}`);
  }
}

/** Logs of folders that are named on the command line, in which nothing is known to happen. */
async function tellOwn(folders: readonly string[]): Promise<void> {
  for (const one of folders) {
    const logs = filesBelow(one, /\.[a-z]+$/);
    for (const [title, rules] of Object.entries({ 'Core pack': core, SigmaHQ: sigmaHq })) {
      const read: Read[] = [];
      for (const path of logs) {
        const log = await findingsIn(path, rules).catch(() => null);
        if (log) read.push(log);
      }
      tellNoise(`${title} in ${one}`, read);
    }
  }
}

say(await loadingOf('Core pack', join(root, 'config', 'sigma')));
say(await loadingOf('SigmaHQ', join(data, 'sigma-rules')));

const folder = mkdtempSync(join(tmpdir(), 'svc-quality-'));
try {
  const publicLogs = await outcomesOf(
    filesBelow(join(data, 'evtx'), /\.evtx$/).map((path) => ({ path, techniques: null })),
  );
  const others = await outcomesOf(
    filesBelow(join(data, 'logs'), /\.[a-z]+$/).map((path) => ({ path, techniques: null })),
  );
  tellAttacks('Public event logs', publicLogs);
  tellAttacks('Regression cases of SigmaHQ', await outcomesOf(regressionCases()));
  tellAttacks('Logs of other kinds', others);
  const quiet = [...publicLogs, ...others].filter(({ expected }) => expected.size === 0);
  tellOrdinary('Logs in which SigmaHQ finds nothing of medium level', quiet);
  const ordinary = await outcomesOf(writeOrdinaryWork(folder).map((path) => ({ path, techniques: new Set<string>() })));
  tellOrdinary('Ordinary work of the samples', ordinary);
  tellNoise('Core pack in both', [...quiet, ...ordinary]);
  await tellOwn(process.argv.slice(2));
  await tellCollections(data, folder, async (path) => {
    const [ours, theirs] = [await findingsIn(path, core), await findingsIn(path, sigmaHq)];
    return { core: ours.findings.filter(isGrave), sigmaHq: theirs.findings.filter(isGrave) };
  });
} finally {
  rmSync(folder, { recursive: true });
}
