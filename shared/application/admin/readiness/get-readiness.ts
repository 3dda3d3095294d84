import type { Readiness } from '@svc/contracts';
import { verdictOf, type ReadinessCheck } from '@svc/domain';
import { checkWebhookReceivers } from '../../alerts/check-webhook-receivers.ts';
import type { Ports } from '../../ports/ports.ts';
import { checkUnowned } from '../storage/check-unowned.ts';
import { checkWorkers } from '../workers/check-workers.ts';
import { checkRulePacks } from '../../rules/check-rule-packs.ts';
import { checkBundledServices, checkSafety, checkServers } from './check-configuration.ts';
import { checkEngines } from './check-engines.ts';
import { checkDisks, checkSystem } from './check-resources.ts';
import { checkDefaultPasswords, checkSecrets } from './check-secrets.ts';
import { checkDatabase, checkEviction, checkKeyValue, checkMigrations, checkStorage } from './check-services.ts';
import { checkTransport, type SeenRequest } from './check-transport.ts';
import { runChecks, type CheckOf } from './run-checks.ts';

export type ReadinessPorts = Pick<
  Ports,
  | 'clock'
  | 'database'
  | 'deployment'
  | 'engines'
  | 'engineSettings'
  | 'keyValue'
  | 'machine'
  | 'objects'
  | 'passwords'
  | 'queueDepths'
  | 'rulePacks'
  | 'secretBox'
  | 'settings'
  | 'siteOverview'
  | 'storageRecords'
  | 'workers'
  | 'workflows'
>;

const keyValue: CheckOf<Pick<Ports, 'deployment' | 'keyValue'>> = {
  section: 'Services',
  name: 'Key-value store',
  vital: 'Start it, or correct KV_URL; until then uploads are refused, and each process limits for itself',
  run: checkKeyValue,
};
const storage: CheckOf<Pick<Ports, 'deployment' | 'objects'>> = {
  section: 'Services',
  name: 'Storage',
  vital:
    'See that there is space, and that the service may write there: UPLOAD_DIR of a folder, the S3_… settings of a bucket',
  run: checkStorage,
};
const database: CheckOf<Pick<Ports, 'database' | 'deployment'>> = {
  section: 'Services',
  name: 'Database',
  vital: 'Start the server, or correct DATABASE_URL; nothing works until then',
  run: checkDatabase,
};
const migrations: CheckOf<Pick<Ports, 'database'>> = {
  section: 'Database schema',
  name: 'Migrations',
  vital: 'See that the database answers, and that its user may read the schema drizzle',
  run: checkMigrations,
};

type ServicePorts = Pick<Ports, 'database' | 'deployment' | 'keyValue' | 'machine' | 'objects'>;

/** What is looked at while the service has no place of its own yet, in which nothing is to be left. */
export const checksBeforeFirstStart: readonly CheckOf<ServicePorts>[] = [
  migrations,
  keyValue,
  { section: 'Services', name: 'Key-value eviction', run: checkEviction },
  { section: 'Configuration', name: 'Production safety', run: checkSafety },
  { section: 'Configuration', name: 'Several servers', run: checkServers },
  {
    section: 'Configuration',
    name: 'Bundled services',
    vital: 'Start the object store, and look at S3_ENDPOINT',
    run: checkBundledServices,
  },
  { section: 'Configuration', name: 'Webhooks', run: checkWebhookReceivers },
  { section: 'Resources', name: 'Disks', run: checkDisks },
  { section: 'Resources', name: 'Operating system', run: checkSystem },
];

/** What needs no tables. */
export const checksOfServices: readonly CheckOf<ServicePorts>[] = [database, storage, ...checksBeforeFirstStart];

/** What is stored in tables. */
export const checksOfTables: readonly CheckOf<ReadinessPorts>[] = [
  { section: 'Configuration', name: 'Default passwords', run: checkDefaultPasswords },
  { section: 'Configuration', name: 'Stored secrets', run: checkSecrets },
  { section: 'Detection tools', name: 'Engines', run: checkEngines },
  { section: 'Detection tools', name: 'Rule packs', run: checkRulePacks },
  { section: 'Resources', name: 'Objects that nobody owns', run: checkUnowned },
  { section: 'Workers', name: 'Workers', run: checkWorkers },
];

/** All that a running service is looked at for (resolved-platform 16.1), but what is between it and who asks. */
export const readinessChecks: readonly CheckOf<ReadinessPorts>[] = [...checksOfServices, ...checksOfTables];

/** How long what was found stands for those who ask next (resolved-platform 16.1). */
const standsMs = 300_000;

interface Found {
  readonly at: Date;
  readonly checks: readonly ReadinessCheck[];
}

/** Readiness for all who ask this process: what it found stands for five minutes, or until somebody has it look anew. */
export interface SharedReadiness {
  current(seen: SeenRequest | null): Promise<Readiness>;
  anew(seen: SeenRequest | null): Promise<Readiness>;
}

export function sharedReadiness(
  ports: ReadinessPorts,
  checks: readonly CheckOf<ReadinessPorts>[] = readinessChecks,
): SharedReadiness {
  let last: { readonly at: Date; readonly found: Promise<Found> } | null = null;
  const look = (): Promise<Found> => {
    const at = ports.clock.now();
    last = { at, found: runChecks(ports, checks).then((found) => ({ at, checks: found })) };
    return last.found;
  };
  const isFresh = (): boolean => last !== null && ports.clock.now().getTime() - last.at.getTime() < standsMs;
  const told = async (found: Promise<Found>, seen: SeenRequest | null): Promise<Readiness> => {
    const { at, checks: ofService } = await found;
    const all = [...ofService, ...checkTransport(ports, seen)];
    return { verdict: verdictOf(all), checked_at: at.toISOString(), checks: all };
  };
  return {
    current: (seen) => told(last !== null && isFresh() ? last.found : look(), seen),
    anew: (seen) => told(look(), seen),
  };
}
