import type { operations, OutputOf } from '@svc/contracts';
import { hasRole, logTypeLabels, type Actor } from '@svc/domain';
import { toJobRow } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';
import { uploadShares } from '../ports/upload-admission.ts';

const descriptionLength = 60;
const recentJobs = 8;
/**
 * One request is quickest while a lost connection costs little; small enough, too, for a function behind
 * an HTTP gateway, which takes no larger bodies (resolved-platform 22).
 */
const formUploadBytes = 4 * 1_048_576;

/** What the Submit page shows. */
export async function getHome(
  {
    clock,
    deployment,
    jobLists,
    settings,
    shipped,
    workflows,
  }: Pick<Ports, 'clock' | 'deployment' | 'jobLists' | 'settings' | 'shipped' | 'workflows'>,
  actor: Actor,
): Promise<OutputOf<typeof operations.getHome>> {
  const [all, samples, site, recent] = await Promise.all([
    workflows.list(),
    shipped.samples(),
    settings.current(),
    jobLists.page(actor, { filters: [], now: clock.now() }, { page: 1, per: recentJobs }),
  ]);
  return {
    workflows: all.map(({ id, name, description, logTypes, isDefault }) => ({
      id,
      name,
      description: shortened(description),
      log_types: [...logTypes],
      is_default: isDefault,
    })),
    log_types: { ...logTypeLabels },
    samples: samples.map(({ name, title, description, sizeBytes }) => ({
      name,
      title,
      description,
      size_bytes: sizeBytes,
    })),
    max_upload_size_mb: Math.floor(deployment.maxUploadBytes / 1_048_576),
    form_upload_bytes: formUploadBytes,
    max_upload_files: site.maxUploadFiles,
    upload_slots: Math.min(4, uploadShares(deployment.maxConcurrentUploads).each),
    can_group_cases: hasRole(actor, 'member'),
    demo_mode: site.demoMode,
    recent: recent.jobs.map((job) => toJobRow(job, actor)),
  };
}

function shortened(text: string): string {
  return text.length <= descriptionLength ? text : `${text.slice(0, descriptionLength - 1).trimEnd()}…`;
}
