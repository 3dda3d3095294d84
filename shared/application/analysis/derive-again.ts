import { otherTactic, tacticGroups, type Finding, type TacticGroup } from '@svc/domain';
import { plotOf, type Plotted, RawDeriver, type RawMatch } from '@svc/engine';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bytesOf } from '../report/download.ts';
import type { AlertIndex } from '../report/derivation-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { RawOutput } from '../report/raw-output-repository.ts';
import { rawNames } from './store-raw-outputs.ts';

export type DerivePorts = Pick<Ports, 'derivations' | 'findings' | 'objects' | 'rawOutputs' | 'reportConfig'>;

type Found = Pick<Finding, 'id' | 'ruleId' | 'ruleName' | 'severity' | 'tags'>;

/**
 * Derives analytics, timeline and processes of a job again from its raw outputs (resolved-platform 5). Where those are
 * gone or are not all there was, what is stored stays as it is. Returns what came of it, in a sentence.
 */
export async function deriveAgain(ports: DerivePorts, jobId: number): Promise<string> {
  const outputs = await ports.rawOutputs.ofJob(jobId);
  // Of several tasks the first one's analytics are shown, and made.
  const matches = outputs.find(({ name }) => name === rawNames.matches);
  if (matches === undefined) return 'kept: no raw outputs of this job are there';
  if (!matches.isComplete) return 'kept: the raw outputs hold the first part of the matched events only';
  if (!(await ports.objects.exists(matches.storageKey))) return 'kept: the raw outputs are gone from the store';
  const findings = await ports.findings.ofTask(matches.taskId);
  const before = await ports.derivations.alerts(jobId);
  const tactics = tacticsOfFindings(before, findings);
  const derived = { ...(await derive(ports, matches, { before, findings, tactics })), tactics };
  const task = { id: matches.taskId, jobId };
  const replaced = await ports.derivations.replace(task, { derived, engine: matches.engine, findings });
  return replaced ? `recalculated from ${derived.events} matched events` : 'kept: the job was deleted or begun again';
}

/** As the analysis had it, which knew all rules; by the findings alone where that does not tell. */
function tacticsOfFindings(index: AlertIndex | null, findings: readonly Found[]): TacticGroup[] {
  // The fourth of a key is the tactic that the index was made with, the last the finding.
  const known = new Map(index?.keys.map((key) => [key[6], key[3] as TacticGroup]));
  const learned = tacticGroups(findings);
  return findings.map(({ id }, place) => known.get(id) ?? learned[place] ?? otherTactic);
}

const keyOf = (id: string | null, name: string): string => `${id}\u0000${name}`;

/** What is known of a task beside its raw outputs. */
interface Known {
  readonly before: AlertIndex | null;
  readonly findings: readonly Found[];
  /** Of the findings. */
  readonly tactics: readonly TacticGroup[];
}

async function derive(
  ports: DerivePorts,
  matches: RawOutput,
  { before, findings, tactics: groups }: Known,
): Promise<ReturnType<RawDeriver['result']>> {
  const places = new Map(findings.map(({ ruleId, ruleName }, place) => [keyOf(ruleId, ruleName), place]));
  const options = { ...(await ports.reportConfig.current()), groups };
  const plotted = new Set<number>();
  const deriver = new RawDeriver(options, ({ id, title }) => {
    const place = places.get(keyOf(id, title));
    if (place !== undefined) plotted.add(place);
    return place;
  });
  const input = Readable.from(bytesOf(ports, matches.storageKey)).compose(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') deriver.add(JSON.parse(line) as RawMatch);
  }
  const others = findings.flatMap(({ id }, place) => (plotted.has(place) ? [] : [[id, place] as const]));
  return deriver.result(plotAgain(before, new Map(others), groups));
}

/** The alerts of some findings as they were plotted before: correlations have no lines for all their matches. */
function plotAgain(
  index: AlertIndex | null,
  places: ReadonlyMap<number, number>,
  groups: readonly TacticGroup[],
): Plotted {
  const markers = (index?.ts ?? []).flatMap((time, at) => {
    const key = index!.keys[index!.k[at]!]!;
    const rule = places.get(key[6]);
    return rule === undefined ? [] : [{ time, rule, computer: index!.computers[key[4]] ?? null, count: index!.n[at]! }];
  });
  const total = markers.reduce((sum, { count }) => sum + count, 0);
  return plotOf({ resolution: markers.length === 0 ? 1 : index!.res, markers, total, undated: 0 }, groups);
}
