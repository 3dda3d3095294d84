import { call, operations, type BackgroundTask } from '@svc/contracts';

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
];

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
