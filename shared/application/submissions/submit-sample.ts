import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, supportsType, type Actor } from '@svc/domain';
import { detectLogType } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';
import { acceptFile, type AcceptPorts } from './accept-file.ts';
import { spoolUpload } from './spool-upload.ts';

/** Submits a log that ships with the product: anew where a workflow is named, else by the default or the first for its type. */
export async function submitSample(
  ports: AcceptPorts & Pick<Ports, 'shipped'>,
  actor: Actor,
  { name: asked, workflow_id: named, is_private }: InputOf<typeof operations.submitSample>,
): Promise<OutputOf<typeof operations.submitSample>> {
  const sample = (await ports.shipped.samples()).find(({ name }) => name === asked);
  if (!sample) throw notFound('sample');
  const file = await spoolUpload(ports, { fileName: sample.fileName, content: ports.shipped.readSample(sample.name) });
  const type = detectLogType(file.head);
  const fitting = (await ports.workflows.list()).filter((workflow) => supportsType(workflow, type));
  const workflow = fitting.find(({ isDefault }) => isDefault) ?? fitting[0];
  const options = { log_type_override: 'auto', is_private, force_resubmit: named !== null, idempotency_key: null };
  const marks = { case_id: null, tags: [] };
  return acceptFile(ports, actor, { ...options, ...marks, workflow_id: named ?? workflow?.id ?? 0, file });
}
