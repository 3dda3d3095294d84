import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { fileNumber, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { shownDigest } from '../jobs/job-row.ts';
import { visibleJobView } from '../jobs/visible-job.ts';

const mostFiles = 10;

/** Other files whose content is like that of a job's file, nearest first (resolved-platform 9.1). */
export async function getSimilarFiles(
  { files, jobViews }: Pick<Ports, 'files' | 'jobViews'>,
  actor: Actor,
  { id, threshold }: InputOf<typeof operations.getSimilarFiles>,
): Promise<OutputOf<typeof operations.getSimilarFiles>> {
  const view = await visibleJobView({ jobViews }, actor, id);
  const tlsh = shownDigest(view);
  if (tlsh === null) return { tlsh, threshold, files: [] };
  const found = await files.similar(actor, { id: view.file.id, tlsh }, { threshold, limit: mostFiles });
  return {
    tlsh,
    threshold,
    files: found.map((file) => ({
      file_id: fileNumber(file.sha256),
      filename: file.fileName,
      distance: file.distance,
      job_id: file.jobId,
      status: file.status,
    })),
  };
}
