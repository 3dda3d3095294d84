import { AppError, notFound, type Actor, type Finding } from '@svc/domain';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { rawNames } from '../analysis/store-raw-outputs.ts';
import type { Ports } from '../ports/ports.ts';
import { RulePackRefused } from '../ports/rule-compiler.ts';
import { LogNotRead, LogTooLarge, type RuleTest } from '../ports/rule-tester.ts';
import { bytesOf } from './download.ts';
import type { StoredEvent } from './new-finding.ts';
import { matchedEvents, matchesIn } from './shown/matched-lines.ts';
import type { Evidence } from './shown/matches.ts';

export type EvidencePorts = Pick<Ports, 'findings' | 'jobs' | 'objects' | 'rawOutputs' | 'ruleTester'>;

/** A log that is read again for a finding: bytes, unpacked, and matches at most. */
const [largestLog, mostRead] = [64 * 1024 * 1024, 5000];

/** A finding of a job that the actor may see; else throws `not_found`. */
export async function visibleFinding(
  { findings }: Pick<Ports, 'findings'>,
  actor: Actor,
  id: number,
): Promise<Finding> {
  const finding = await findings.get(actor, id);
  if (!finding) throw notFound('finding');
  return finding;
}

/** What was kept of the matches of a finding when its log was analysed. */
export async function keptEvidence(ports: EvidencePorts, finding: Finding): Promise<Evidence> {
  const outputs = await ports.rawOutputs.ofJob(finding.jobId);
  // What other engines matched besides is in none of its own.
  const isAll = (finding.parts?.[0]?.count ?? finding.count) >= finding.count;
  const events = isAll ? null : await ports.findings.events(finding.id);
  if (events !== null && events.length >= finding.count) return evidence('samples', events, true);
  for (const wanted of [rawNames.matchesOf(finding.id), rawNames.matches]) {
    const raw = outputs.find(({ taskId, name }) => taskId === finding.taskResultId && name === wanted);
    if (raw === undefined || !(await ports.objects.exists(raw.storageKey))) continue;
    const batches = (skip?: number) => matchesIn(unpacked(ports, raw.storageKey), finding, skip);
    return { from: 'kept', complete: raw.isComplete && isAll, batches };
  }
  const samples = events ?? (await ports.findings.events(finding.id));
  return evidence('samples', samples, samples.length >= finding.count);
}

/** The fullest that can be had: what was kept where that is all, else the log, read again, where that is little work. */
export async function fullestEvidence(ports: EvidencePorts, finding: Finding): Promise<Evidence> {
  const kept = await keptEvidence(ports, finding);
  return kept.complete ? kept : ((await readAgain(ports, finding)) ?? kept);
}

/** The matches that the rule has in the log now; null where that would be long, or the log or the rule is gone. */
export async function readAgain(ports: EvidencePorts, finding: Finding): Promise<Evidence | null> {
  const [record, source] = await Promise.all([ports.jobs.get(finding.jobId), ports.findings.ruleSource(finding.id)]);
  if (record === null || source === null || finding.count > mostRead) return null;
  const { sizeBytes, storageKey } = record.file;
  if (sizeBytes > largestLog || !(await ports.objects.exists(storageKey))) return null;
  const test = await begun(ports, source);
  if (test === null) return null;
  try {
    if (test.compiled.rules.length !== 1) return null;
    const copy = await ports.objects.localCopy(storageKey);
    try {
      const { logType } = record.job;
      const tried = await test.run({ path: copy.path, mostBytes: largestLog, logType }, mostRead);
      const matches = tried?.rules[0]?.matches;
      return matches === undefined ? null : evidence('log', matches, matches.length >= finding.count);
    } finally {
      await copy.release();
    }
  } catch (error) {
    if (error instanceof LogTooLarge || error instanceof LogNotRead) return null;
    throw error;
  } finally {
    await test.end();
  }
}

/** The rule, compiled again; null where it takes too much, or too many are being tried. */
async function begun({ ruleTester }: EvidencePorts, source: string): Promise<RuleTest | null> {
  try {
    return await ruleTester.begin(source);
  } catch (error) {
    if (error instanceof RulePackRefused || (error instanceof AppError && error.code === 'busy')) return null;
    throw error;
  }
}

function evidence(from: Evidence['from'], events: readonly StoredEvent[], complete: boolean): Evidence {
  return {
    from,
    complete,
    batches: async function* (skip = 0) {
      yield matchedEvents(events.slice(skip));
    },
  };
}

async function* unpacked(ports: EvidencePorts, key: string): AsyncGenerator<Uint8Array> {
  const input = Readable.from(bytesOf(ports, key));
  const gunzip = createGunzip({ chunkSize: 262_144 });
  input.on('error', (error) => gunzip.destroy(error));
  try {
    yield* input.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}
