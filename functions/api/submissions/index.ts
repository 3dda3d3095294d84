import { httpHandler } from '../../http-handler.ts';
import { createPublicUploadRoute } from './create-public-upload.ts';
import { createUploadRoute } from './create-upload.ts';
import { detectPreviewRoute } from './detect-preview.ts';
import { getHomeRoute } from './get-home.ts';
import { getJobStatesRoute } from './get-job-states.ts';
import { getSubmissionRoute } from './get-submission.ts';
import { listWorkflowsRoute } from './list-workflows.ts';
import { receiveUploadRoute } from './receive-upload.ts';
import { rerunJobsRoute } from './rerun-jobs.ts';
import { resubmitJobRoute } from './resubmit-job.ts';
import { submitJobRoute } from './submit-job.ts';
import { submitSampleRoute } from './submit-sample.ts';
import { uploadFileRoute } from './upload-file.ts';

export const handler = httpHandler([
  createPublicUploadRoute,
  createUploadRoute,
  detectPreviewRoute,
  getHomeRoute,
  getJobStatesRoute,
  getSubmissionRoute,
  listWorkflowsRoute,
  receiveUploadRoute,
  rerunJobsRoute,
  resubmitJobRoute,
  submitJobRoute,
  submitSampleRoute,
  uploadFileRoute,
]);
