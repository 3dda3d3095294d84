import { otherTactic, tacticGroups, type Finding, type TacticGroup } from '@svc/domain';
import { RawDeriver, type RawMatch } from '@svc/engine';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bytesOf } from '../jobs/download.ts';
import type { Ports } from '../ports/ports.ts';
import type { RawOutput } from '../ports/raw-output-repository.ts';
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
  const tactics = await tacticsOfFindings(ports, jobId, findings);
  const derived = { ...(await derive(ports, matches, findings, tactics)), tactics };
  const task = { id: matches.taskId, jobId };
  const replaced = await ports.derivations.replace(task, { derived, engine: matches.engine, findings });
  return replaced ? `recalculated from ${derived.events} matched events` : 'kept: the job was deleted or begun again';
}

/** As the analysis had it, which knew all rules; by the findings alone where that does not tell. */
async function tacticsOfFindings(
  { derivations }: DerivePorts,
  jobId: number,
  findings: readonly Found[],
): Promise<TacticGroup[]> {
  const index = await derivations.alerts(jobId);
  // The fourth of a key is the tactic that the index was made with, the last the finding.
  const known = new Map(index?.keys.map((key) => [key[6], key[3] as TacticGroup]));
  const learned = tacticGroups(findings);
  return findings.map(({ id }, place) => known.get(id) ?? learned[place] ?? otherTactic);
}

const keyOf = (id: string | null, name: string): string => `${id}\u0000${name}`;

async function derive(
  ports: DerivePorts,
  matches: RawOutput,
  findings: readonly Found[],
  groups: readonly TacticGroup[],
): Promise<ReturnType<RawDeriver['result']>> {
  const places = new Map(findings.map(({ ruleId, ruleName }, place) => [keyOf(ruleId, ruleName), place]));
  const options = { ...(await ports.reportConfig.current()), groups };
  const deriver = new RawDeriver(options, ({ id, title }) => places.get(keyOf(id, title)));
  const input = Readable.from(bytesOf(ports, matches.storageKey)).compose(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') deriver.add(JSON.parse(line) as RawMatch);
  }
  return deriver.result();
}
