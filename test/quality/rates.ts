import type { RuleSet } from '@svc/engine';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isGrave, say } from './findings.ts';
import { filesBelow, findingsIn, rulesOf, writeOrdinaryWork } from './logs.ts';

// How often each rule of the core pack matches where nothing happens: written beside the pack, where its test reads it.
//   [FOLDER of recordings of attacks …] [--ordinary FOLDER …]

const root = process.cwd();
const data = join(root, '..', 'shared', 'data');

/** Logs in which SigmaHQ’s rules find nothing and something happens all the same: guessing, shells, tests of attacks. */
const attacked = new Set([
  'application-mssql-33205-nonames.evtx',
  'powershell-downgrade-classic.evtx',
  'security-4688-obfuscated-services.evtx',
  'security-5145-remote-filecopy.evtx',
  'security-kerberos-4768-4771.evtx',
  'invictus-records-1.json',
  'invictus-records-2.json',
  'loghub-openssh-2k.log',
  'rocky9-secure.log',
  'plaso-apache-access.log',
  'auditd.log.gz',
]);

interface Measured {
  records: number;
  /** Matches by the id of the rule. */
  readonly matches: Map<string, number>;
}

async function measured(
  paths: readonly string[],
  core: RuleSet,
  isMeant: (path: string) => Promise<boolean>,
): Promise<Measured> {
  const sum: Measured = { records: 0, matches: new Map() };
  for (const path of paths) {
    if (!(await isMeant(path))) continue;
    const log = await findingsIn(path, core).catch(() => null);
    if (log === null) continue;
    sum.records += log.events;
    for (const { ruleId, count } of log.findings) sum.matches.set(ruleId!, (sum.matches.get(ruleId!) ?? 0) + count);
  }
  return sum;
}

const { values, positionals } = parseArgs({
  options: { ordinary: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const logsIn = (folders: readonly string[]): string[] => folders.flatMap((one) => filesBelow(one, /\.[a-z]+$/));

const core = await rulesOf(join(root, 'config', 'sigma'));
const sigmaHq = await rulesOf(join(data, 'sigma-rules'));
const folder = mkdtempSync(join(tmpdir(), 'svc-rates-'));
try {
  const quiet = [...filesBelow(join(data, 'evtx'), /\.evtx$/), ...filesBelow(join(data, 'logs'), /\.[a-z]+$/)];
  const ordinary = await measured([...quiet, ...writeOrdinaryWork(folder)], core, async (path) => {
    if (attacked.has(basename(path))) return false;
    const log = await findingsIn(path, sigmaHq).catch(() => null);
    return log !== null && !log.findings.some(isGrave);
  });
  const own = await measured(logsIn(values.ordinary), core, async () => true);
  ordinary.records += own.records;
  for (const [id, count] of own.matches) ordinary.matches.set(id, (ordinary.matches.get(id) ?? 0) + count);
  const recordings = await measured(logsIn(positionals), core, async () => true);
  const reporting = [
    ...core.rules.filter((_, at) => !core.silent.rules.includes(at)),
    ...core.correlations.filter((_, at) => !core.silent.correlations.includes(at)),
  ];
  const rules = reporting
    .map(({ id }): [string, [number, number]] => {
      return [id!, [ordinary.matches.get(id!) ?? 0, recordings.matches.get(id!) ?? 0]];
    })
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const table = {
    records: { ordinary: ordinary.records, recordings: recordings.records },
    rules: Object.fromEntries(rules),
  };
  writeFileSync(join(root, 'config', 'sigma', 'rates.json'), `${JSON.stringify(table)}\n`);
  say(`${rules.length} rules measured in ${ordinary.records} ordinary records and ${recordings.records} of recordings`);
} finally {
  rmSync(folder, { recursive: true });
}
