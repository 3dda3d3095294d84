import { SiteSettings } from '@svc/contracts';
import { pausedCap, unlimitedCap, type Deed } from '@svc/domain';
import { presentSettings } from '../../../system/site-setting-names.ts';
import { many, targets, type Tellers } from './teller.ts';

function backfilled(what: string) {
  return ({
    output: { task_id: id, already },
  }: {
    readonly output: { readonly task_id: number; readonly already: boolean };
  }): Deed => ({
    action: 'admin.maintenance.queued',
    target: ['task', id],
    summary: `Asked for ${what} to be made anew${already ? ', which was under way' : ''}`,
  });
}

function queued(
  action: 'admin.maintenance.queued' | 'admin.storage.purge_orphans' | 'admin.storage.vacuum',
  summary: string,
) {
  return ({ output: { task_id: id } }: { readonly output: { readonly task_id: number } }): Deed => ({
    action,
    target: ['task', id],
    summary,
  });
}

/** Of accounts, tokens, tasks and settings. */
export const siteDeeds = {
  createUser: ({ output: { id, email, role } }) => ({
    action: 'admin.user.create',
    target: targets.account(id),
    summary: `Created the account ${email}`,
    metadata: { role },
  }),
  setUserRole: ({ output: { id, email, role } }) => ({
    action: 'admin.user.role_change',
    target: targets.account(id),
    summary: `Made ${email} ${role === 'admin' ? 'an administrator' : `a ${role}`}`,
    metadata: { role },
  }),
  setUserActive: ({ output: { id, email, is_active: isActive } }) => ({
    action: 'admin.user.toggle_active',
    target: targets.account(id),
    summary: `${isActive ? 'Activated' : 'Deactivated'} the account ${email}`,
    metadata: { is_active: isActive },
  }),
  setUserPassword: ({ output: { id, email } }) => ({
    action: 'admin.user.set_password',
    target: targets.account(id),
    summary: `Set the password of ${email}`,
  }),
  deleteUser: ({ input: { id }, before: { name } }) => ({
    action: 'admin.user.delete',
    target: targets.account(id),
    summary: `Deleted the account ${name ?? id}`,
  }),
  createApiToken: ({ input: { name }, output: { id, prefix, scopes } }) => ({
    action: 'admin.token.create',
    target: ['api_token', id],
    summary: `Created the API token ${prefix} (${name})`,
    metadata: { prefix, scopes },
  }),
  revokeApiToken: ({ input: { id } }) => ({
    action: 'admin.token.revoke',
    target: ['api_token', id],
    summary: 'Revoked an API token',
  }),
  cancelBackgroundTask: ({ output: { id, kind } }) => ({
    action: 'admin.maintenance.cancel',
    target: ['task', id],
    summary: 'Cancelled a background task',
    metadata: { kind },
  }),
  runTaskAgain: ({ input: { id }, output: { task_id: taskId, already } }) => ({
    action: 'admin.maintenance.retry',
    target: ['task', taskId],
    summary: `Asked for a background task to be run again${already ? ', which was under way' : ''}`,
    metadata: { earlier: id },
  }),
  recoverTask: ({ output: { id, kind } }) => ({
    action: 'admin.maintenance.recover',
    target: ['task', id],
    summary: 'Closed a background task that no worker reported on',
    metadata: { kind },
  }),
  revokeQueuedTask: ({ output: { queue_id: queueId, kind } }) => ({
    action: 'admin.maintenance.revoke',
    target: ['queued_task', queueId],
    summary: 'Took a task out of the queue',
    metadata: { kind },
  }),
  cleanUpOutputs: ({ output: { task_id: id, already } }) => ({
    action: 'admin.maintenance.queued',
    target: ['task', id],
    summary: `Asked for old raw outputs to be removed${already ? ', which was under way' : ''}`,
  }),
  backfillSimilarity: backfilled('the similarity digests of files'),
  backfillAnalytics: backfilled('the analytics of all jobs'),
  // Looking changes nothing.
  runReadiness: null,
  changeEngine: ({ input: { name, enabled, program }, output: { title } }) => ({
    action: 'admin.engine.update',
    target: ['engine', name],
    summary:
      enabled === undefined
        ? `Said where the engine ${title} is`
        : `${enabled ? 'Enabled' : 'Disabled'} the engine ${title}`,
    metadata: {
      ...(enabled !== undefined && { enabled }),
      ...(program !== undefined && { program: program === null ? 'none' : JSON.stringify(program) }),
    },
  }),
  runEngineTask: ({ input: { name, what } }) => ({
    action: 'admin.engine.test',
    target: ['engine', name],
    summary: what === 'test' ? 'Had a worker look for an engine' : 'Had the image of an engine made ready',
  }),
  limitWorker: ({ output: { hostname, max_concurrent_jobs: cap } }) => ({
    action: 'admin.worker.priority',
    target: ['worker', hostname.slice(0, 64)],
    summary:
      cap === unlimitedCap
        ? `Let ${hostname} analyse any number of jobs`
        : cap === pausedCap
          ? `Paused ${hostname}`
          : `Let ${hostname} analyse ${many(cap, 'job')} at a time`,
    metadata: { max_concurrent_jobs: cap },
  }),
  backfillEntities: backfilled('the entities of all jobs'),
  backfillBuiltinLabels: backfilled('what shared alert rules tag'),
  backfillEntityAttributes: backfilled('the attributes of entities'),
  backfillRelationships: backfilled('how entities are related'),
  backfillFindingEntityLinks: backfilled('which findings name which entities'),
  changeSiteSettings: ({ output, before: { settings } }) => {
    const earlier = presentSettings(settings);
    const changed = Object.entries(SiteSettings.parse(output)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(earlier[name as keyof typeof earlier]),
    );
    if (changed.length === 0) return null;
    return {
      action: 'admin.settings.changed',
      summary: `Changed settings: ${changed.map(([name]) => name).join(', ')}`,
      metadata: Object.fromEntries(
        changed.map(([name, to]) => [name, { from: earlier[name as keyof typeof earlier], to }]),
      ),
    };
  },
  runRetention: queued('admin.maintenance.queued', 'Asked for raw outputs whose time is over to be removed'),
  purgeOrphans: queued('admin.storage.purge_orphans', 'Asked for objects that no row names to be removed'),
  vacuumDatabase: queued('admin.storage.vacuum', 'Asked for the tables of the database to be written anew'),
  setOutputRetention: ({ input: { job_output_retention_days: to }, before: { settings } }) => {
    const from = settings.jobOutputRetentionDaysOverride;
    return {
      action: 'admin.storage.retention',
      summary:
        to === null
          ? 'Left how long raw outputs are kept to the environment'
          : `Had raw outputs kept ${to === 0 ? 'for ever' : `for ${many(to, 'day')}`}`,
      metadata: { job_output_retention_days: { from, to } },
    };
  },
  pruneActivity: ({ input: { days }, output: { removed } }) => ({
    action: 'admin.activity.prune',
    summary: `Removed ${many(removed, 'row')} of this log that were older than ${many(days, 'day')}`,
    metadata: { days, count: removed },
  }),
} satisfies Partial<Tellers>;
