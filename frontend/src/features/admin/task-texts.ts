import { call, operations, type BackgroundTask, type Scheduled } from '@svc/contracts';

/** Something that is made anew over all that is stored, as the page words it. */
export interface Backfill {
  readonly kind: string;
  readonly begin: () => Promise<unknown>;
  readonly label: string;
  /** When an administrator wants it. */
  readonly when: string;
}

export const backfills: readonly Backfill[] = [
  {
    kind: 'backfill_analytics',
    begin: () => call(operations.backfillAnalytics, {}),
    label: 'Analytics of all jobs',
    when: 'Derives hours, timelines and heuristics again from the raw outputs, where they are still there, by the files of fields and threats as they are now.',
  },
  {
    kind: 'backfill_entities',
    begin: () => call(operations.backfillEntities, {}),
    label: 'Entities of all jobs',
    when: 'Stores what each job names, with its links to jobs and findings. Counts that look wrong are right after it.',
  },
  {
    kind: 'backfill_entity_attributes',
    begin: () => call(operations.backfillEntityAttributes, {}),
    label: 'Attributes of entities',
    when: 'Works out what each value says of itself, by the threat-detection file as it is now.',
  },
  {
    kind: 'backfill_builtin_labels',
    begin: () => call(operations.backfillBuiltinLabels, {}),
    label: 'Tags of shared alert rules',
    when: 'Tags what was named before a shared alert rule or its list was there.',
  },
  {
    kind: 'backfill_relationships',
    begin: () => call(operations.backfillRelationships, {}),
    label: 'Relationships, from the logs of earlier versions’ jobs',
    when: 'Reads these logs again, for how what they name is related and what is in them. Takes as long as analysing them.',
  },
  {
    kind: 'backfill_finding_entity_links',
    begin: () => call(operations.backfillFindingEntityLinks, {}),
    label: 'Links between findings and entities',
    when: 'Says anew which findings name which entities.',
  },
  {
    kind: 'backfill_similarity',
    begin: () => call(operations.backfillSimilarity, {}),
    label: 'Similarity digests of files',
    when: 'Makes those that are missing, by which a report finds similar files.',
  },
  {
    kind: 'cleanup_old_job_outputs',
    begin: () => call(operations.cleanUpOutputs, {}),
    label: 'Removal of old raw outputs',
    when: 'Removes now what is older than the site keeps it. Reports stay as they are.',
  },
];

const otherTasks: Readonly<Record<string, string>> = {
  recalculate_single_analytics: 'Analytics of a job',
  apply_suppression: 'Findings that are suppressed',
  gather_finding_matches: 'All events of a finding',
  backtest_alert_rule: 'Back-test of an alert rule',
  bulk_enrich: 'Look-up of entities in an enrichment service',
  test_engine: 'Look for an engine',
  prepare_engine_image: 'Image of an engine',
  purge_orphaned_storage: 'Removal of objects that nobody owns',
  vacuum_database: 'Tables of the database, written anew',
  run_analysis: 'Analysis of a job',
  deliver_webhook: 'Delivery to a webhook',
  end_webhook_attempt: 'Answer of a webhook',
  unknown: 'Task of a later version',
};

/** What a kind of task is called; of a periodic one, as its schedule says. */
export function nameOf(kind: string, scheduled: readonly Scheduled[] = []): string {
  const backfill = backfills.find((one) => one.kind === kind);
  return backfill?.label ?? otherTasks[kind] ?? scheduled.find(({ key }) => key === kind)?.label ?? kind;
}

export const taskWords: Readonly<Record<BackgroundTask['status'], string>> = {
  pending: 'Waits',
  running: 'Runs',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
};

export function isInFlight({ status }: BackgroundTask): boolean {
  return status === 'pending' || status === 'running';
}
