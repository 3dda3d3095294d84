import type { WorkflowContent } from '@svc/application/admin/workflows/workflow-store.ts';
import { createHash } from 'node:crypto';

/** Of what a workflow says, by which it is known whether anybody has edited it. */
export function workflowDigest({ name, description, logTypes, definition }: WorkflowContent): string {
  const content = { name, description, logTypes, definition };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
