import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, hasRole, notFound, supportsType, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { QueuePorts } from '../analysis/queue-analysis.ts';
import { queueJob } from './accept-file.ts';
import { refuseInDemoMode } from './admit-upload.ts';

/**
 * Analyses a stored file again as a new job, with name, type and privacy of the caller's last job on it
 * (resolved-platform 3.6). Without one, an administrator's stays private unless a job on it is public.
 */
export async function resubmitJob(
  ports: QueuePorts & Pick<Ports, 'clock' | 'files' | 'jobs' | 'settings'>,
  actor: Actor,
  input: InputOf<typeof operations.resubmitJob>,
): Promise<OutputOf<typeof operations.resubmitJob>> {
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Sign in to submit a file again');
  await refuseInDemoMode(ports);
  const file = await ports.files.get(input.file_id);
  if (!file) throw notFound('file');
  const own = await ports.jobs.newestOf(actor.userId, file.id);
  if (!own && !hasRole(actor, 'admin')) {
    // A file that is only in others' private jobs is not there.
    if (!(await ports.jobs.hasPublic(file.id))) throw notFound('file');
    throw new AppError('forbidden', 'You have submitted no such file');
  }
  const workflow = await ports.workflows.get(input.workflow_id);
  if (!workflow) throw new AppError('unknown_workflow', 'There is no such workflow');
  const logType = own?.job.logType ?? file.detectedType;
  if (!supportsType(workflow, logType)) {
    throw new AppError('workflow_mismatch', `“${workflow.name}” does not take logs of type ${logType}`);
  }
  const record = await ports.jobs.submit({
    file: { id: file.id },
    job: {
      workflowId: workflow.id,
      submittedBy: actor.userId,
      submitterIp: actor.ip,
      submittedName: own?.job.submittedName ?? null,
      logType,
      isPrivate: own?.job.isPrivate ?? !(await ports.jobs.hasPublic(file.id)),
    },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags: [], by: actor.userId, at: ports.clock.now() },
  });
  await queueJob(ports, record);
  const { job } = record;
  return { job_id: job.id, job_url: `/jobs/${job.id}`, status: job.status };
}
