import { type Finding, loadRules, type RuleSet } from '@svc/engine';
import { analyzeFile, readRuleFiles } from '@svc/engine/node';
import { writeEvtx } from '@svc/engine/testing';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { powershell, security, sysmon } from '../samples/samples.ts';

export interface Read {
  readonly events: number;
  readonly findings: readonly Finding[];
}

export async function rulesOf(folder: string): Promise<RuleSet> {
  return loadRules(await readRuleFiles([folder])).rules;
}

export async function findingsIn(path: string, rules: RuleSet): Promise<Read> {
  return analyzeFile(path, { rules, logType: 'auto', maxSamples: 1, threads: 1 });
}

export function filesBelow(folder: string, suffix: RegExp): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => suffix.test(name));
  return names.sort().map((name) => join(folder, name));
}

/** Writes the mornings of the samples without the intrusion; gives their paths. */
export function writeOrdinaryWork(folder: string): string[] {
  return Object.entries({ sysmon, security, powershell }).map(([name, { noise }]) => {
    const path = join(folder, `${name}.evtx`);
    const inTime = noise.toSorted((a, b) => (String(a.time) < String(b.time) ? -1 : 1));
    writeFileSync(path, writeEvtx(inTime));
    return path;
  });
}
