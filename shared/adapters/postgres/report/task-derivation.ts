import type { ReportOutput } from '@svc/application/ports/detection-engine.ts';
import {
  alertIndexOf,
  analyticsOf,
  processesOf,
  type StoredFindings,
} from '@svc/application/report/shown/stored-derivation.ts';
import { packed } from '../packed-json.ts';
import type { taskDerivations } from '../schema/index.ts';
import { storableJson } from '../text.ts';

interface Stored extends Omit<StoredFindings, 'engine'> {
  readonly task: { readonly id: number; readonly jobId: number; readonly engine: string };
}

/** What was derived, as it is stored with its task. */
export async function toDerivationRow(
  derived: ReportOutput,
  stored: Stored,
): Promise<typeof taskDerivations.$inferInsert> {
  const found = { ...stored, engine: stored.task.engine };
  const [alerts, processes] = await Promise.all([
    packed(alertIndexOf(derived, found)),
    packed(processesOf(derived, found)),
  ]);
  return {
    taskResultId: stored.task.id,
    jobId: stored.task.jobId,
    analytics: storableJson(analyticsOf(derived)),
    alerts,
    processes,
    census: derived.census === undefined ? null : storableJson(derived.census),
  };
}
