import { call, operations, type JobDetail } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { invalidate, queryClient } from '../../api/query-client.ts';
import { ofJob, queryKey } from '../../api/query-key.ts';
import { paths } from '../../paths.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';

const route = getRouteApi(paths.job);

/** Asks before a job goes, and says what goes with it. */
export function DeleteJob({ job, onClose }: { job: JobDetail; onClose: () => void }) {
  const navigate = route.useNavigate();
  const remove = useMutation({
    mutationFn: () => call(operations.deleteJob, { id: job.job_id }),
    onSuccess: async () => {
      await navigate({ to: paths.jobs });
      queryClient.removeQueries(ofJob(job.job_id));
      await invalidate(queryKey(operations.listJobs));
    },
  });
  return (
    <Dialog title="Delete this job?" onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate()}
        actions={<DialogButtons words="Delete job" pending={remove.isPending} dangerous onClose={onClose} />}
      >
        <p>
          <strong>{job.filename}</strong>, {namesOf(job)}. This cannot be undone.
        </p>
        <ul className="soft">
          {!isTerminal(job.status) && <li>The analysis that is under way is stopped.</li>}
          <li>The report goes with its raw outputs and logs.</li>
          {(job.tags.length > 0 || job.comment_count > 0 || job.member_cases.length > 0) && <li>{hanging(job)}</li>}
          <li>The uploaded file goes, too, unless another job is on it.</li>
        </ul>
      </Form>
    </Dialog>
  );
}

function namesOf(job: JobDetail): string {
  return job.distinct_rules === 0 ? 'without findings' : `with ${counted(job.distinct_rules, 'finding')}`;
}

/** What people have put on the job. */
function hanging({ comment_count: comments, member_cases: cases, tags }: JobDetail): string {
  const parts = [
    comments > 0 ? counted(comments, 'comment') : null,
    tags.length > 0 ? counted(tags.length, 'tag') : null,
    cases.length > 0 ? `its place in ${counted(cases.length, 'case')}` : null,
  ];
  return `So do ${parts.filter((part) => part !== null).join(', ')}.`;
}
