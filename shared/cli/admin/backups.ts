import { recordActivity } from '@svc/application/admin/activity/record-activity.ts';
import { many } from '@svc/application/admin/activity/deeds/teller.ts';
import { makeBackup, type BackupPorts } from '@svc/application/admin/backup/make-backup.ts';
import { restoreBackup, type RestorePorts } from '@svc/application/admin/backup/restore-backup.ts';
import { verifyBackup, type VerifyPorts } from '@svc/application/admin/backup/verify-backup.ts';
import type { BackupManifest } from '@svc/contracts/backup.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Deed } from '@svc/domain';
import type { Terminal } from '../terminal.ts';
import type { BackupCommand } from './arguments.ts';
import { doer } from './operator.ts';

type RecordingPorts = Pick<Ports, 'activityLog' | 'clock' | 'log' | 'settings'>;
type Folder = Pick<BackupCommand, 'folder'>;

export async function backUp(
  { folder }: Folder,
  ports: BackupPorts & RecordingPorts,
  terminal: Terminal,
): Promise<void> {
  const manifest = await makeBackup(ports, folder);
  await record(ports, { action: 'admin.backup.create', summary: `Made a backup of ${sizeOf(manifest)}` });
  terminal.out(contentsOf(manifest));
}

export async function verify({ folder }: Folder, ports: VerifyPorts, terminal: Terminal): Promise<void> {
  terminal.out(`${contentsOf(await verifyBackup(ports, folder))}All of it is as it was written.\n`);
}

export async function restore(
  { folder, withoutKeys }: Extract<BackupCommand, { name: 'restore' }>,
  ports: RestorePorts & RecordingPorts,
  terminal: Terminal,
): Promise<void> {
  const { manifest, objects, orphans } = await restoreBackup(ports, folder, { withoutKeys });
  const summary = `Restored the backup of ${manifest.taken_at}, of ${sizeOf(manifest)}`;
  await record(ports, { action: 'admin.backup.restore', summary });
  const missing = manifest.objects.count - objects;
  terminal.out(
    `${contentsOf(manifest)}It is restored. Objects that the database names: ${objects}, missing: ${missing}; objects that it does not name: ${orphans}.\n`,
  );
}

async function record(ports: RecordingPorts, deed: Deed): Promise<void> {
  await recordActivity(ports, doer, await ports.settings.current(), deed);
}

function sizeOf({ tables, objects }: BackupManifest): string {
  const jobs = tables.find(({ table }) => table === 'jobs')?.rows ?? 0;
  return `${many(jobs, 'job')} and ${many(objects.count, 'object')}`;
}

/** What is in a backup, and what was not there to be put into it. */
function contentsOf({ taken_at: at, version, tables, objects, sealed_under: sealed }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const jobs = tables.find(({ table }) => table === 'jobs')?.rows ?? 0;
  const secrets = Object.entries(sealed).map(([id, count]) => `${many(count, 'secret')} sealed under the key ${id}`);
  const lines = [
    `Everything up to ${at}, by version ${version}: ${many(jobs, 'job')} (${many(rows, 'row')} of ${many(tables.length, 'table')}), ${many(objects.count, 'object')} of ${many(objects.total_bytes, 'byte')}.`,
    ...(secrets.length > 0 ? [`It has ${secrets.join(' and ')}, but not that key: keep it elsewhere.`] : []),
    ...lost(objects.missing),
  ];
  return `${lines.join('\n')}\n`;
}

function lost(keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const more = keys.length > 10 ? [`and ${keys.length - 10} more`] : [];
  const title = `The service itself had lost ${many(keys.length, 'object')} that its database names:`;
  return [title, ...keys.slice(0, 10), ...more];
}
