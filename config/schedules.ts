/** When a periodic task runs. */
export interface Schedule {
  /** Name of the task. */
  readonly key: string;
  /** Minute, hour, day of the month, month, day of the week; in UTC. */
  readonly cron: string;
  readonly label: string;
  /** Also when a worker starts, however soon its next time is. */
  readonly atStart?: true;
}

/** The periodic tasks of resolved-platform 16.2; workers and EventBridge Scheduler go by this list. */
export const schedules: readonly Schedule[] = [
  { key: 'job-recovery', cron: '*/5 * * * *', label: 'Put jobs back in motion that no worker has', atStart: true },
  { key: 'expired-uploads', cron: '*/5 * * * *', label: 'Remove uploads that were not submitted in time' },
  { key: 'task-history', cron: '40 3 * * *', label: 'Forget background tasks that ended long ago' },
  { key: 'dropped-objects', cron: '20 * * * *', label: 'Remove objects that could not be removed with their jobs' },
  { key: 'stored-objects', cron: '10 * * * *', label: 'Look through the store for what nobody owns, once a day' },
  { key: 'old-outputs', cron: '45 4 * * *', label: 'Remove raw outputs whose time is over' },
  { key: 'old-uploads', cron: '15 4 * * *', label: 'Delete uploads whose time is over, with their jobs' },
  { key: 'rule-packs', cron: '35 * * * *', label: 'Take rule packs that were named, and newer ones', atStart: true },
  { key: 'rule-lists', cron: '40 * * * *', label: 'Read lists from their sources where that is due' },
  {
    key: 'happenings',
    cron: '*/2 * * * *',
    label: 'Tell of what has happened and suppress what is due, where that was not done at once',
  },
  { key: 'happening-prune', cron: '30 3 * * *', label: 'Forget what happened 7 days ago' },
  { key: 'activity-prune', cron: '30 3 * * *', label: 'Forget what the activity log has kept for long enough' },
  { key: 'webhook-prune', cron: '50 3 * * *', label: 'Forget deliveries to webhooks that ended long ago' },
  { key: 'enrichment-prune', cron: '0 3 * * *', label: 'Forget what services said of entities 30 days ago' },
  { key: 'comment-prune', cron: '20 3 * * *', label: 'Forget comments that were deleted 180 days ago' },
  { key: 'similarity-digests', cron: '50 * * * *', label: 'Make the digests of files that have none' },
  { key: 'held-words', cron: '55 * * * *', label: 'Make what searches find earlier results by', atStart: true },
  { key: 'sample-events', cron: '5 * * * *', label: 'Move sample events out of the database', atStart: true },
  { key: 'intel', cron: '*/5 * * * *', label: 'Store the entities of jobs that have none', atStart: true },
  { key: 'session-prune', cron: '25 * * * *', label: 'Forget sessions whose day is over, and networks long not used' },
  { key: 'token-prune', cron: '10 3 * * *', label: 'Forget API tokens that were revoked 90 days ago' },
];
