import type { SubmittedJob } from '@svc/contracts';
import type { Deed } from '@svc/domain';
import { many, namesOfTags, targets, type Tellers } from './teller.ts';

function submitted({ output }: { readonly output: SubmittedJob }): Deed {
  return {
    action: 'job.upload',
    target: targets.job(output.job_id),
    summary: output.reused ? 'Submitted a file that was analysed before' : 'Submitted a file',
    metadata: { reused: output.reused, ...(output.case_id !== null && { case_id: output.case_id }) },
  };
}

/** Of submissions, jobs and reports. */
export const jobDeeds = {
  uploadFile: submitted,
  submitJob: submitted,
  submitSample: submitted,
  resubmitJob: ({ output: { job_id: id } }) => ({
    action: 'job.resubmit',
    target: targets.job(id),
    summary: 'Had a file analysed again',
  }),
  rerunJobs: ({ input, output: { jobs } }) =>
    input.dry_run
      ? null
      : {
          action: 'job.resubmit',
          summary: `Had ${many(jobs.length, 'file')} analysed again`,
          metadata: { count: jobs.length },
        },
  detectPreview: null,
  createPublicUpload: null,
  createUpload: null,
  receiveUpload: null,
  cancelJob: ({ input: { id } }) => ({ action: 'job.cancel', target: targets.job(id), summary: 'Cancelled a job' }),
  deleteJob: ({ input: { id } }) => ({ action: 'job.delete', target: targets.job(id), summary: 'Deleted a job' }),
  deleteJobs: ({ output: { deleted } }) => ({
    action: 'job.delete',
    summary: `Deleted ${many(deleted, 'job')}`,
    metadata: { count: deleted },
  }),
  recalculateAnalytics: ({ input: { id } }) => ({
    action: 'job.recalculate',
    target: targets.job(id),
    summary: 'Had the analytics of a job made anew',
  }),
  recoverStuckJobs: ({ output: { recovered } }) => ({
    action: 'admin.maintenance.recover',
    summary: `Put ${many(recovered, 'stuck job')} back in motion`,
    metadata: { count: recovered },
  }),
  reviewFindings: ({ input: { id, finding_ids: ids, state } }) => ({
    action: 'job.review',
    target: targets.job(id),
    summary: `Said of ${many(ids.length, 'finding')} how it was judged`,
    metadata: { count: ids.length, state },
  }),
  gatherFindingMatches: null,
  createBatch: null,
  saveSearch: null,
  changeSavedSearch: null,
  deleteSavedSearch: null,
  lookAtSearch: null,
  watchJob: ({ input: { id }, output: { watching } }) => ({
    action: 'job.watch',
    target: targets.job(id),
    summary: watching ? 'Began to watch a job' : 'Ended watching a job',
    metadata: { watching },
  }),
  unwatchJob: ({ input: { id } }) => ({
    action: 'job.watch',
    target: targets.job(id),
    summary: 'Ended watching a job',
    metadata: { watching: false },
  }),
  tagJob: ({ input: { id, tag } }) => ({
    action: 'job.tag.add',
    target: targets.job(id),
    summary: `Tagged a job ${namesOfTags(tag)}`,
    metadata: { tag },
  }),
  untagJob: ({ input: { id, tag } }) => ({
    action: 'job.tag.remove',
    target: targets.job(id),
    summary: `Took ${namesOfTags(tag)} off a job`,
    metadata: { tag },
  }),
  tagJobs: ({ input: { tag }, output: { links } }) => ({
    action: 'job.tag.add',
    summary: `Tagged ${many(links, 'job')} ${namesOfTags(tag)}`,
    metadata: { tag, count: links },
  }),
  untagJobs: ({ input: { tag }, output: { removed } }) => ({
    action: 'job.tag.remove',
    summary: `Took ${namesOfTags(tag)} off ${many(removed, 'job')}`,
    metadata: { tag, count: removed },
  }),
} satisfies Partial<Tellers>;
