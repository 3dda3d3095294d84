import type { Finding } from '@svc/engine';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agreeing, isGrave, say, techniquesOf } from './findings.ts';

/** What others report for a log at medium and above. */
interface Reference {
  readonly worst: string | null;
  readonly techniques: readonly string[];
}

interface Measured {
  readonly name: string;
  readonly hayabusa: Reference;
  readonly core: readonly Finding[];
  readonly sigmaHq: readonly Finding[];
}

/** The findings of medium or above in a log, by the core pack and by SigmaHQ’s rules. */
export type Measure = (path: string) => Promise<{ core: readonly Finding[]; sigmaHq: readonly Finding[] }>;

/** Whole collections of attack logs, each with what Hayabusa with its own rules says beside both packs. */
export async function tellCollections(data: string, folder: string, measure: Measure): Promise<void> {
  execFileSync('tar', ['-xzf', join(data, 'attack-logs.tar.gz'), '-C', folder]);
  const listed = JSON.parse(readFileSync(join(data, 'attack-logs.json'), 'utf8')) as Record<
    string,
    { readonly hayabusa: Reference }
  >;
  const measured: Measured[] = [];
  for (const [name, { hayabusa }] of Object.entries(listed)) {
    measured.push({ name, hayabusa, ...(await measure(join(folder, name))) });
  }
  for (const collection of new Set(measured.map(({ name }) => name.split('/')[0]!))) {
    tellCollection(
      collection,
      measured.filter(({ name }) => name.startsWith(`${collection}/`)),
    );
  }
  tellCollection('All collections', measured);
  for (const { name, core } of measured.filter((log) => isFoundElsewhere(log))) {
    if (core.length === 0) say(`  missed ${name}`);
  }
}

function tellCollection(title: string, logs: readonly Measured[]): void {
  const found = (of: (log: Measured) => boolean): number => logs.filter(of).length;
  const both = logs.filter(isFoundElsewhere);
  const grave = [
    `core ${found(({ core }) => core.length > 0)}`,
    `SigmaHQ ${found(({ sigmaHq }) => sigmaHq.length > 0)}`,
    `Hayabusa ${found(isFoundByHayabusa)}`,
    `core ${both.filter(({ core }) => core.length > 0).length} of the ${both.length} that either of the two finds`,
  ];
  say(`${title}, ${logs.length} logs with a finding of medium or above: ${grave.join(', ')}`);
  const labelled = logs.filter(({ name }) => labelsOf(name).size > 0);
  const named = (of: (log: Measured) => readonly Finding[]): number =>
    labelled.filter((log) => agreeing(of(log), labelsOf(log.name))).length;
  const told = both.filter((log) => referenceOf(log).size > 0);
  const agreed = told.filter((log) => agreeing(log.core, referenceOf(log))).length;
  say(
    `  technique named in ${labelled.length} labelled logs: core ${named(({ core }) => core)}, SigmaHQ ${named(({ sigmaHq }) => sigmaHq)}; core names one of theirs in ${agreed} of ${told.length}`,
  );
}

function isFoundByHayabusa({ hayabusa }: Measured): boolean {
  return hayabusa.worst !== null && !['informational', 'low'].includes(hayabusa.worst);
}

function isFoundElsewhere(log: Measured): boolean {
  return log.sigmaHq.length > 0 || isFoundByHayabusa(log);
}

function referenceOf({ hayabusa, sigmaHq }: Measured): ReadonlySet<string> {
  const tags = [...hayabusa.techniques.map((one) => `attack.${one}`), ...sigmaHq.flatMap((finding) => finding.tags)];
  return new Set(techniquesOf(tags));
}

/** The techniques that a log is named after. */
function labelsOf(name: string): ReadonlySet<string> {
  return new Set(techniquesOf((basename(name).match(/T\d{4}(?:\.\d{3})?/g) ?? []).map((one) => `attack.${one}`)));
}

/** Findings of medium or above per 50,000 records of logs in which nothing happens. */
export function tellNoise(
  title: string,
  logs: readonly { readonly events: number; readonly findings: readonly Finding[] }[],
): void {
  const events = logs.reduce((sum, log) => sum + log.events, 0);
  const found = logs.flatMap(({ findings }) => findings.filter(isGrave));
  const matched = found.reduce((sum, { count }) => sum + count, 0);
  const rate = ((found.length / events) * 50_000).toFixed(2);
  say(`${title}: ${rate} findings per 50,000 records (${found.length}, ${matched} events, in ${events} records)`);
}
