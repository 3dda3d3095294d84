import { call, operations, type JobDetail } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';

const route = getRouteApi(paths.job);

/** Analyses the file of a job anew by its workflow, and goes to the new report. */
export function useResubmit(job: JobDetail) {
  const navigate = route.useNavigate();
  return useMutation({
    mutationFn: () => call(operations.resubmitJob, { file_id: job.file.id, workflow_id: job.workflow.id }),
    onSuccess: ({ job_id: jobId }) => navigate({ to: paths.job, params: { jobId }, search: {} }),
  });
}
