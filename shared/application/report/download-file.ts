import type { InputOf, operations } from '@svc/contracts';
import { AppError, fallbackName } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { downloadOf, type Download } from './download.ts';
import { knownJob } from '../jobs/visible-job.ts';

/** The file of a job, under the name that it was submitted with (resolved-platform 11). */
export async function downloadFile(
  ports: Pick<Ports, 'clock' | 'jobs' | 'log' | 'objects' | 'uploadTargets'>,
  { id }: InputOf<typeof operations.downloadFile>,
): Promise<Download> {
  const record = await knownJob(ports, id);
  const { job, file } = record;
  if (!(await ports.objects.exists(file.storageKey))) {
    throw new AppError('upload_missing', 'The file is not in the store any more');
  }
  ports.log.info('file downloaded', { job_id: id });
  const fileName = job.submittedName ?? fallbackName(file.sha256);
  return downloadOf(ports, { key: file.storageKey, fileName, sizeBytes: file.sizeBytes });
}
