import type { InputOf, operations } from '@svc/contracts';
import { AppError } from '@svc/domain';
import { Zip, ZipPassThrough } from 'fflate';
import type { Ports } from '../ports/ports.ts';
import type { RawOutput } from './raw-output-repository.ts';
import { bytesOf, sentDownload, type Download } from './download.ts';
import { knownJob } from '../jobs/visible-job.ts';

type RawPorts = Pick<
  Ports,
  'clock' | 'deployment' | 'droppedObjects' | 'jobs' | 'log' | 'objects' | 'rawOutputs' | 'uploadTargets'
>;

/** What the engines put out for a job, a folder for each task, as `job_{id}_raw_results.zip` (resolved-platform 11). */
export async function exportRaw(ports: RawPorts, { id }: InputOf<typeof operations.exportRaw>): Promise<Download> {
  await knownJob(ports, id);
  const outputs = await present(ports, await ports.rawOutputs.ofJob(id));
  if (outputs.length === 0) throw new AppError('not_found', 'No raw outputs of this job are kept');
  ports.log.info('raw outputs exported', { job_id: id });
  const fileName = `job_${id}_raw_results.zip`;
  return sentDownload(ports, zipOf(ports, outputs), { fileName, type: 'application/zip', suffix: '.zip' });
}

/** A store may have rules of its own for what is old. */
async function present({ objects }: RawPorts, outputs: readonly RawOutput[]): Promise<RawOutput[]> {
  const there = await Promise.all(outputs.map(({ storageKey }) => objects.exists(storageKey)));
  return outputs.filter((_, index) => there[index]);
}

/** The files are compressed already, and go in as they are. */
async function* zipOf(ports: RawPorts, outputs: readonly RawOutput[]): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else ready.push(chunk);
  });
  const taken = function* (): Generator<Uint8Array> {
    if (failure) throw failure;
    yield* ready.splice(0);
  };
  for (const { engine, name, position, storageKey, createdAt } of outputs) {
    const entry = new ZipPassThrough(`${position + 1}-${engine}/${name}`);
    entry.mtime = createdAt;
    zip.add(entry);
    for await (const chunk of bytesOf(ports, storageKey)) {
      entry.push(chunk);
      yield* taken();
    }
    entry.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
