import type { InputOf, operations, OutputOf, Retention } from '@svc/contracts';
import type { SiteSettings } from '@svc/domain';
import type { Deployment } from '../../ports/deployment.ts';
import type { Ports } from '../../ports/ports.ts';
import { outputDays } from './output-retention.ts';

/** What an environment variable decides, by the names of the deployment. */
const variables = {
  outputs: ['job_outputs', 'JOB_OUTPUT_RETENTION_DAYS'],
  uploads: ['uploads', 'UPLOAD_RETENTION_DAYS'],
  activity: ['activity', 'ACTIVITY_RETENTION_DAYS'],
  backgroundTasks: ['background_tasks', 'BACKGROUND_TASK_RETENTION_DAYS'],
  webhookDeliveries: ['webhook_deliveries', 'WEBHOOK_DELIVERY_RETENTION_DAYS'],
} as const satisfies Record<keyof Deployment['retentionDays'], readonly [name: string, variable: string]>;

/** What is the same everywhere, in days. */
const fixed = [
  ['deleted_comments', 180],
  ['revoked_tokens', 90],
  ['happenings', 7],
  ['sessions', 1],
] as const;

/** For how long everything is kept that is not kept for ever, and who says so. */
export function retentionsOf(settings: SiteSettings, deployment: Deployment): Retention[] {
  const chosen = Object.entries(variables).map(([key, [name, variable]]): Retention => {
    // The cast is safe: these are the keys of the table.
    const of = key as keyof typeof variables;
    const isOutputs = of === 'outputs';
    const isOverridden = isOutputs && settings.jobOutputRetentionDaysOverride !== null;
    const days = isOutputs ? outputDays(settings, deployment) : deployment.retentionDays[of];
    const given = deployment.retentionGiven.includes(of) ? 'env' : 'default';
    const source = isOverridden ? 'override' : given;
    return { name, variable, days, source, overridable: isOutputs, disabled: days === 0 };
  });
  const others = fixed.map(([name, days]): Retention => {
    return { name, variable: null, days, source: 'default', overridable: false, disabled: false };
  });
  return [...chosen, ...others];
}

/** Has raw outputs kept for so many days from the next sweep on, in every process; null for what the environment says. */
export async function setOutputRetention(
  { deployment, settings }: Pick<Ports, 'deployment' | 'settings'>,
  { job_output_retention_days: days }: InputOf<typeof operations.setOutputRetention>,
): Promise<OutputOf<typeof operations.setOutputRetention>> {
  const [outputs] = retentionsOf(await settings.change({ jobOutputRetentionDaysOverride: days }), deployment);
  // The first of the table, which is never empty.
  return outputs!;
}
