import { analyzeJob, type AnalyzePorts } from '@svc/application/analysis/analyze-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { LeaseOf } from '@svc/application/ports/task-queue.ts';
import type { AcceptPorts, FileInput } from '@svc/application/submissions/accept-file.ts';
import { spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import type { Actor } from '@svc/domain';
import { contentOf } from './content.ts';

/** What is sent with a file that is to be analysed anew, and nothing else. */
export const plainSubmission = {
  log_type_override: 'auto',
  is_private: false,
  force_resubmit: true,
  idempotency_key: null,
  case_id: null,
  tags: [],
} satisfies Omit<FileInput, 'file' | 'workflow_id'>;

type SentLog = Partial<Omit<FileInput, 'file' | 'upload_id'>> & {
  readonly fileName?: string;
  readonly content?: Uint8Array | string;
};

/** Submits a log, by the default workflow where none is named, and to be analysed anew; the number of its job. */
export async function submitLog(
  ports: AcceptPorts,
  actor: Actor,
  { fileName = 'Security.evtx', content = 'ElfFile\0', ...options }: SentLog = {},
): Promise<number> {
  const file = await spoolUpload(ports, { fileName, content: contentOf(content) });
  const workflow_id = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
  return (await uploadFile(ports, actor, { workflow_id, ...plainSubmission, ...options, file })).job_id;
}

/** Analyses the job that is next in the queue, as a worker does. */
export async function analyzeNext(ports: AnalyzePorts & Pick<Ports, 'tasks'>): Promise<void> {
  const lease = await receivedAnalysis(ports);
  await analyzeJob(ports, lease, new AbortController().signal);
  await ports.tasks.acknowledge(lease);
}

/** {@link submitLog}, and analyses it. */
export async function analyzeLog(ports: Ports, actor: Actor, sent: SentLog = {}): Promise<number> {
  const id = await submitLog(ports, actor, sent);
  await analyzeNext(ports);
  return id;
}

/** The lease of the analysis that is next in the queue. */
export async function receivedAnalysis({ tasks }: Pick<Ports, 'tasks'>): Promise<LeaseOf<'run_analysis'>> {
  const lease = await tasks.receive({ worker: 'w', waitMs: 0, lanes: ['fast', 'heavy'] });
  if (lease?.task.kind !== 'run_analysis') throw new Error('no job is queued');
  return { ...lease, task: lease.task };
}
