import { recoverStuckJobs } from '@svc/application/analysis/recover-stuck-jobs.ts';
import { cancelJob } from '@svc/application/jobs/cancel-job.ts';
import { compareJobs } from '@svc/application/jobs/compare-jobs.ts';
import { createBatch } from '@svc/application/jobs/create-batch.ts';
import { deleteJob } from '@svc/application/jobs/delete-job.ts';
import { deleteJobs } from '@svc/application/jobs/delete-jobs.ts';
import { getBatch } from '@svc/application/jobs/get-batch.ts';
import { getJobProgress } from '@svc/application/jobs/get-job-progress.ts';
import { getJob } from '@svc/application/jobs/get-job.ts';
import { listJobs } from '@svc/application/jobs/list-jobs.ts';
import { listSavedSearches } from '@svc/application/jobs/list-saved-searches.ts';
import { changeSavedSearch, deleteSavedSearch, lookAtSearch, saveSearch } from '@svc/application/jobs/save-search.ts';
import { suggestJobSearch } from '@svc/application/jobs/suggest-job-search.ts';
import { asPreferences, keptPreferences, preferenceCookies } from '@svc/contracts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { type PortsOf, presented, type TableOf } from '../route.ts';

const table = {
  cancelJob,
  changeSavedSearch,
  compareJobs,
  createBatch,
  deleteJob,
  deleteJobs,
  getBatch,
  deleteSavedSearch,
  getJob,
  getJobProgress,
  listJobs: presented(
    // What the query asks for is kept in the browser, and stands in for what a later one leaves out.
    (ports: PortsOf<typeof listJobs>, actor, input, { cookies = [] }) =>
      listJobs(ports, actor, { ...keptPreferences(cookies), ...input }),
    (_, { input, secureCookies: secure }) => ({ cookies: preferenceCookies(asPreferences(input), { secure }) }),
  ),
  listSavedSearches,
  lookAtSearch,
  recoverStuckJobs: async (ports: PortsOf<typeof recoverStuckJobs>) => ({
    recovered: await recoverStuckJobs(ports, 'admin'),
  }),
  saveSearch,
  suggestJobSearch,
} satisfies TableOf<'jobs'>;

export const handler = areaHandler(areaPorts.jobs, table);
