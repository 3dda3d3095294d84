import type { InputOf, operations } from '@svc/contracts';
import { AppError, fallbackName, notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { bytesOf, linkMs, type Download } from './download.ts';

/** The file of a job, under the name that it was submitted with (resolved-platform 11). */
export async function downloadFile(
  ports: Pick<Ports, 'clock' | 'jobs' | 'log' | 'objects' | 'uploadTargets'>,
  { id }: InputOf<typeof operations.downloadFile>,
): Promise<Download> {
  const record = await ports.jobs.get(id);
  if (!record) throw notFound('job');
  const { job, file } = record;
  if (!(await ports.objects.exists(file.storageKey))) {
    throw new AppError('upload_missing', 'The file is not in the store any more');
  }
  ports.log.info('file downloaded', { job_id: id });
  const fileName = job.submittedName ?? fallbackName(file.sha256);
  const expiresAt = new Date(ports.clock.now().getTime() + linkMs);
  const url = await ports.uploadTargets.presignGet({ key: file.storageKey, fileName, expiresAt });
  if (url !== null) return { fileName, url };
  return { fileName, sizeBytes: file.sizeBytes, content: bytesOf(ports, file.storageKey) };
}
