import { compose } from '@svc/adapters/compose.ts';
import { spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import { prepareService } from '@svc/application/system/prepare-service.ts';
import type { Actor } from '@svc/domain';
import { createReadStream } from 'node:fs';
import { startWorker } from '../loop.ts';

// The service without HTTP: submits the file that it is given, and tells its progress until it is killed.
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const ports = compose(
  ...(['accounts', 'cases', 'clock', 'database', 'deployment', 'engines', 'files', 'jobViews', 'jobs'] as const),
  ...(['launcher', 'ledger', 'log', 'ruleArtifacts', 'ruleCompiler', 'rulePacks'] as const),
  ...(['objects', 'passwords', 'receipts', 'settings', 'shipped', 'shippedRules', 'tasks'] as const),
  ...(['transaction', 'uploads', 'workflows'] as const),
);
await prepareService(ports);
const content = createReadStream(process.argv[2] ?? '');
const file = await spoolUpload(ports, { fileName: 'large.evtx', content });
const workflow_id = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
const options = {
  workflow_id,
  log_type_override: 'auto',
  is_private: false,
  force_resubmit: false,
  idempotency_key: null,
  case_id: null,
  tags: [],
};
const { job_id } = await uploadFile(ports, visitor, { ...options, file });
startWorker();
for (;;) {
  const [task] = await ports.jobViews.tasks(job_id);
  process.stdout.write(`${task?.bytesDone ?? 0}\n`);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
