import type { Finding } from '@svc/domain';
import { removeRawOutputs, rawNames, storeRawOutput } from '../analysis/store-raw-outputs.ts';
import type { JobRecord } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { RuleTest } from '../ports/rule-tester.ts';
import { keptEvidence, type EvidencePorts } from './finding-evidence.ts';
import type { NewRawOutput } from './result-repository.ts';

export type GatherPorts = EvidencePorts & Pick<Ports, 'clock' | 'log'>;

/** What reading a log again may take: so long in any case, and more for each MiB of its file. */
const [leastMs, msPerMb] = [120_000, 1000];
const tellEveryMs = 1000;
const gone = 'kept: the job was deleted or begun again';

/**
 * Reads the log of a finding again with its rule and keeps all matches as an object beside the raw outputs, which pages,
 * groups and exports read then. Returns what came of it, in a sentence; rejects with a reason that people can read.
 */
export async function gatherMatches(
  ports: GatherPorts,
  findingId: number,
  tell: (progress: string) => Promise<void>,
): Promise<string> {
  const finding = await ports.findings.get(null, findingId);
  const record = finding && (await ports.jobs.get(finding.jobId));
  if (!finding || !record) return gone;
  if ((await keptEvidence(ports, finding)).complete) return 'kept: all matched events are at hand';
  const reason = await whyNotReadable(ports, finding, record);
  if (reason !== null) throw new Error(reason);
  const source = (await ports.findings.ruleSource(findingId))!;
  const test = await ports.ruleTester.beginAside(source, leastMs + (msPerMb * record.file.sizeBytes) / 1_048_576);
  try {
    const output = await gathered(ports, test, { finding, record, tell });
    if (await ports.rawOutputs.add(finding.taskResultId, output, ports.clock.now())) return 'read to its end';
    await removeRawOutputs(ports, [output]);
    return gone;
  } finally {
    await test.end();
  }
}

/** Why the log of a finding cannot be read again with its rule, in a sentence; null where it can. */
export async function whyNotReadable(
  { findings, objects }: Pick<Ports, 'findings' | 'objects'>,
  { id }: Finding,
  { file }: JobRecord,
): Promise<string | null> {
  const source = await findings.ruleSource(id);
  if (source === null) return 'The source of the rule was not kept';
  if (/^correlation:/m.test(source))
    return 'The rule is a correlation; what it counted stands under the rules it counts';
  return (await objects.exists(file.storageKey)) ? null : 'The log is not kept any more';
}

interface Asked {
  readonly finding: Finding;
  readonly record: JobRecord;
  readonly tell: (progress: string) => Promise<void>;
}

async function gathered(
  ports: GatherPorts,
  test: RuleTest,
  { finding, record: { file, job }, tell }: Asked,
): Promise<NewRawOutput> {
  if (test.compiled.rules.length === 0) throw new Error('The rule cannot be read any more');
  const copy = await ports.objects.localCopy(file.storageKey);
  try {
    let told = 0;
    const onProgress = (bytesDone: number): void => {
      if (performance.now() - told < tellEveryMs) return;
      told = performance.now();
      // That it is not told now harms nothing.
      void tell(`${Math.floor((100 * bytesDone) / Math.max(1, file.sizeBytes))}% of the log`).catch(() => undefined);
    };
    const lines = test.matches({ path: copy.path, logType: job.logType, onProgress });
    return await storeRawOutput(ports, rawNames.matchesOf(finding.id), lines, true);
  } finally {
    await copy.release();
  }
}
