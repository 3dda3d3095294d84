import { type Finding, loadRules, type RuleSet, severities } from '@svc/engine';
import { analyzeFile, readRuleFiles } from '@svc/engine/node';
import { writeEvtx } from '@svc/engine/testing';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { loadingOf } from './pack-loading.ts';
import { powershell, security, sysmon } from '../samples/samples.ts';

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

async function rulesOf(folder: string): Promise<RuleSet> {
  return loadRules(await readRuleFiles([folder])).rules;
}

/** What ATT&CK 19, of which the rules of SigmaHQ speak, has made of techniques that ours still name. */
const renamed: Readonly<Record<string, string>> = { t1562: 't1685', 't1562.004': 't1686', 't1070.001': 't1685' };

/** Technique numbers, sub-techniques as their technique. */
function techniquesOf(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => {
    const [, whole, technique] = /^attack\.((t\d{4})[.\d]*)$/i.exec(tag.toLowerCase()) ?? [];
    return whole === undefined ? [] : (renamed[whole] ?? renamed[technique!] ?? technique!);
  });
}

async function findingsIn(path: string, rules: RuleSet): Promise<{ events: number; findings: readonly Finding[] }> {
  return analyzeFile(path, { rules, logType: 'auto', maxSamples: 1, threads: 1 });
}

const isGrave = ({ severity }: Finding): boolean => severities.indexOf(severity) <= severities.indexOf('medium');
const isTold = ({ severity }: Finding): boolean => severities.indexOf(severity) <= severities.indexOf('low');

async function outcomeOf({ path, techniques, name = basename(path) }: Case): Promise<Outcome> {
  const { events, findings } = await findingsIn(path, core);
  const reference =
    techniques ??
    new Set((await findingsIn(path, sigmaHq)).findings.filter(isGrave).flatMap(({ tags }) => techniquesOf(tags)));
  return { name, events, expected: reference, findings: findings.filter(isTold) };
}

function isRelevant({ expected, findings }: Outcome): boolean {
  return findings.some(({ tags }) => techniquesOf(tags).some((one) => expected.has(one)));
}

function filesBelow(folder: string, suffix: RegExp): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => suffix.test(name));
  return names.sort().map((name) => join(folder, name));
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

/** The mornings of the samples without the intrusion. */
function ordinaryWork(folder: string): Case[] {
  const logs = { sysmon, security, powershell };
  return Object.entries(logs).map(([name, { noise }]) => {
    const path = join(folder, `${name}.evtx`);
    const inTime = noise.toSorted((a, b) => (String(a.time) < String(b.time) ? -1 : 1));
    writeFileSync(path, writeEvtx(inTime));
    return { path, techniques: new Set<string>() };
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
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
  tellOrdinary('Ordinary work of the samples', await outcomesOf(ordinaryWork(folder)));
} finally {
  rmSync(folder, { recursive: true });
}
