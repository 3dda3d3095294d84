import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { EngineOutput } from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import type { NewRawOutput } from '../report/result-repository.ts';
import type { NewFinding } from '../report/new-finding.ts';

type StorePorts = Pick<Ports, 'log' | 'objects'>;

/** Names of the files; each holds JSON lines, compressed by gzip. */
export const rawNames = {
  findings: 'findings.jsonl.gz',
  matches: 'matches.jsonl.gz',
  /** All matches of one finding, where those of the task were cut or are gone. */
  matchesOf: (findingId: number): string => `matches_${findingId}.jsonl.gz`,
} as const;

/**
 * Keeps what an engine found, and the events that matched, as objects (resolved-platform 2.4); nothing where nothing
 * matched. They are not worth a failed analysis: what cannot be stored is missing, and logged.
 */
export async function storeRawOutputs(
  ports: StorePorts,
  { findings, raw }: EngineOutput,
): Promise<readonly NewRawOutput[]> {
  if (raw === null || raw.chunks.length === 0) return [];
  const kept: NewRawOutput[] = [];
  try {
    kept.push(await storeRawOutput(ports, rawNames.findings, linesOf(findings), true));
    kept.push(await storeRawOutput(ports, rawNames.matches, raw.chunks, !raw.isTruncated));
    return kept;
  } catch (error) {
    ports.log.warn('the raw outputs could not be stored', { error });
    await removeRawOutputs(ports, kept);
    return [];
  }
}

/** Takes back what no task refers to. */
export async function removeRawOutputs({ log, objects }: StorePorts, kept: readonly NewRawOutput[]): Promise<void> {
  for (const { storageKey } of kept) {
    await objects.delete(storageKey).catch((error: unknown) => {
      log.warn('a raw output could not be taken back', { key: storageKey, error });
    });
  }
}

/** Lines as one of the files. */
export async function storeRawOutput(
  { objects }: Pick<Ports, 'objects'>,
  name: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  isComplete: boolean,
): Promise<NewRawOutput> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const packed = Readable.from(content, { objectMode: false }).pipe(gzip) as AsyncIterable<Uint8Array>;
  const { key, sizeBytes } = await objects.create('.gz', packed, 'outputs');
  return { name, storageKey: key, sizeBytes, isComplete };
}

/** Findings as lines, without their sample events, which are among the matches. */
function* linesOf(findings: readonly NewFinding[]): Generator<Uint8Array> {
  for (const { events: _events, ...finding } of findings) yield Buffer.from(`${JSON.stringify(finding)}\n`);
}
