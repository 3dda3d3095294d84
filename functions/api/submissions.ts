import { createPublicUpload } from '@svc/application/submissions/create-public-upload.ts';
import { createUpload } from '@svc/application/submissions/create-upload.ts';
import { detectPreview } from '@svc/application/submissions/detect-preview.ts';
import { getHome } from '@svc/application/submissions/get-home.ts';
import { getJobStates } from '@svc/application/submissions/get-job-states.ts';
import { getSubmission } from '@svc/application/submissions/get-submission.ts';
import { listWorkflows } from '@svc/application/submissions/list-workflows.ts';
import { receiveUpload } from '@svc/application/submissions/receive-upload.ts';
import { rerunJobs } from '@svc/application/submissions/rerun-jobs.ts';
import { resubmitJob } from '@svc/application/submissions/resubmit-job.ts';
import { submitJob } from '@svc/application/submissions/submit-job.ts';
import { submitSample } from '@svc/application/submissions/submit-sample.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presentSubmission } from '../present-submission.ts';
import { presented, type TableOf } from '../route.ts';

const table = {
  createPublicUpload,
  createUpload,
  detectPreview,
  getHome,
  getJobStates,
  getSubmission,
  listWorkflows,
  receiveUpload,
  rerunJobs,
  resubmitJob,
  submitJob: presented(submitJob, presentSubmission),
  submitSample: presented(submitSample, presentSubmission),
  uploadFile: presented(uploadFile, presentSubmission),
} satisfies TableOf<'submissions'>;

export const handler = areaHandler(areaPorts.submissions, table);
