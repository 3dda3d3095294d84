import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, digestBeginning, hasRole, notFound, type Actor, type UploadedFile } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import type { QueuePorts } from '../analysis/queue-analysis.ts';
import { queueJob } from './accept-file.ts';
import { refuseInDemoMode } from './admit-upload.ts';
import { checkTakes, chosenWorkflow } from './chosen-workflow.ts';
import { recordSubmission } from './record-submission.ts';

type ResubmitPorts = QueuePorts & Pick<Ports, 'clock' | 'files' | 'jobs' | 'settings' | 'transaction'>;
type Answer = OutputOf<typeof operations.resubmitJob>;

/** Analyses a stored file again as a new job; one that is only in jobs that the caller may not see is not there. */
export async function resubmitJob(
  ports: ResubmitPorts,
  actor: Actor,
  { file_id: number, workflow_id: workflowId }: InputOf<typeof operations.resubmitJob>,
): Promise<Answer> {
  signedIn(actor);
  await refuseInDemoMode(ports);
  const file = await ports.files.findSeen(actor, digestBeginning(number));
  if (!file) throw notFound('file');
  return resubmitFile(ports, actor, { file, workflowId });
}

/**
 * Analyses a file of a job that the caller may see again, with name, type and privacy of the caller's last job on it
 * (resolved-platform 3.6). Without one, an administrator's stays private unless a job on it is public.
 */
export async function resubmitFile(
  ports: Omit<ResubmitPorts, 'files' | 'settings'>,
  actor: Actor,
  { file, workflowId }: { readonly file: UploadedFile; readonly workflowId: number },
): Promise<Answer> {
  const { userId } = signedIn(actor);
  const own = await ports.jobs.newestOf(userId, file.id);
  if (!own && !hasRole(actor, 'admin')) throw new AppError('forbidden', 'You have submitted no such file');
  const workflow = await chosenWorkflow(ports, workflowId);
  const logType = own?.job.logType ?? file.detectedType;
  checkTakes(workflow, logType);
  const record = await recordSubmission(ports, {
    file: { id: file.id },
    job: {
      workflowId: workflow.id,
      submittedBy: userId,
      submitterIp: actor.ip,
      submittedName: own?.job.submittedName ?? null,
      logType,
      isPrivate: own?.job.isPrivate ?? !(await ports.jobs.hasPublic(file.id)),
    },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags: [], by: userId, at: ports.clock.now() },
  });
  await queueJob(ports, record);
  const { job } = record;
  return { job_id: job.id, job_url: `/jobs/${job.id}`, status: job.status };
}
