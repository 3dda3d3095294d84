import type { OutputRecord } from '../events/log-event.ts';

/** Where records of an endpoint product say what of a process that started; the first field with a value counts. */
export interface DeviceStart {
  readonly guid: readonly string[];
  readonly pid: readonly string[];
  readonly image: readonly string[];
  readonly originalName: readonly string[];
  readonly commandLine: readonly string[];
  readonly user: readonly string[];
  readonly time: readonly string[];
  readonly hashes: readonly string[];
  readonly parentGuid: readonly string[];
  readonly parentPid: readonly string[];
  readonly parentImage: readonly string[];
  readonly parentCommandLine: readonly string[];
}

const defender: DeviceStart = {
  guid: [],
  pid: ['ProcessId'],
  image: ['FolderPath', 'FileName'],
  originalName: ['ProcessVersionInfoOriginalFileName'],
  commandLine: ['ProcessCommandLine'],
  user: ['AccountName'],
  time: ['ProcessCreationTime'],
  hashes: ['SHA256', 'SHA1', 'MD5'],
  parentGuid: [],
  parentPid: ['InitiatingProcessId'],
  parentImage: ['InitiatingProcessFolderPath', 'InitiatingProcessFileName'],
  parentCommandLine: ['InitiatingProcessCommandLine'],
};

const falcon: DeviceStart = {
  guid: ['TargetProcessId'],
  pid: ['RawProcessId'],
  image: ['ImageFileName'],
  originalName: ['OriginalFilename'],
  commandLine: ['CommandLine'],
  user: ['UserName', 'UserPrincipal', 'UserSid', 'UID'],
  time: [],
  hashes: ['SHA256HashData', 'SHA1HashData', 'MD5HashData'],
  parentGuid: ['ParentProcessId'],
  parentPid: [],
  parentImage: ['ParentImageFileName', 'ParentBaseFileName'],
  parentCommandLine: ['ParentCommandLine'],
};

const sentinelOne: DeviceStart = {
  guid: ['tgt.process.uid', 'tgtProcUid'],
  pid: ['tgt.process.pid', 'tgtProcPid'],
  image: ['tgt.process.image.path', 'tgtProcImagePath', 'tgtProcName'],
  originalName: [],
  commandLine: ['tgt.process.cmdline', 'tgtProcCmdLine'],
  user: ['tgt.process.user', 'tgtProcUser', 'tgt.process.eUserName'],
  time: [],
  hashes: ['tgt.process.image.sha256', 'tgt.process.image.sha1', 'tgt.process.image.md5'],
  parentGuid: ['src.process.uid', 'srcProcUid'],
  parentPid: ['src.process.pid', 'srcProcPid'],
  parentImage: ['src.process.image.path', 'srcProcImagePath', 'srcProcName'],
  parentCommandLine: ['src.process.cmdline', 'srcProcCmdLine'],
};

const carbonBlack: DeviceStart = {
  guid: ['process_guid'],
  pid: ['process_pid', 'pid'],
  image: ['process_path', 'path'],
  originalName: [],
  commandLine: ['process_cmdline', 'target_cmdline', 'command_line', 'cmdline'],
  user: ['process_username', 'username'],
  time: [],
  hashes: ['process_hash', 'sha256', 'md5'],
  parentGuid: ['parent_guid', 'parent_process_guid'],
  parentPid: ['parent_pid'],
  parentImage: ['parent_path'],
  parentCommandLine: ['parent_cmdline'],
};

/** The Cloud’s, in which the process is the parent of what was started. */
const carbonBlackChild: DeviceStart = {
  ...carbonBlack,
  guid: ['childproc_guid'],
  pid: ['childproc_pid'],
  image: ['childproc_name'],
  commandLine: ['target_cmdline'],
  user: ['childproc_username'],
  hashes: ['childproc_hash'],
  parentGuid: ['process_guid'],
  parentPid: ['process_pid'],
  parentImage: ['process_path'],
  parentCommandLine: ['process_cmdline'],
};

const ecs: DeviceStart = {
  guid: ['process.entity_id'],
  pid: ['process.pid'],
  image: ['process.executable', 'process.path'],
  originalName: ['process.pe.original_file_name'],
  commandLine: ['process.command_line', 'process.args', 'process.title'],
  user: ['user.name', 'process.user.name'],
  time: ['process.start'],
  hashes: ['process.hash.sha256', 'process.hash.sha1', 'process.hash.md5'],
  parentGuid: ['process.parent.entity_id'],
  parentPid: ['process.parent.pid', 'process.ppid'],
  parentImage: ['process.parent.executable'],
  parentCommandLine: ['process.parent.command_line', 'process.parent.args'],
};

const osquery: DeviceStart = {
  guid: [],
  pid: ['columns.pid'],
  image: ['columns.path', 'columns.name'],
  originalName: [],
  commandLine: ['columns.cmdline'],
  user: ['columns.username', 'columns.uid'],
  time: [],
  hashes: ['columns.sha256', 'columns.sha1', 'columns.md5'],
  parentGuid: [],
  parentPid: ['columns.parent', 'columns.ppid'],
  parentImage: ['columns.parent_path'],
  parentCommandLine: ['columns.parent_cmdline'],
};

const falconStart = /^(?:Synthetic)?ProcessRollup2$/;
const carbonBlackStart = /^(?:ingress|endpoint)\.event\.(?:procstart|process)$/;
const ecsStart = /^(?:start|exec|executed|process_started)$/;

/** Where a record tells of a start of a process as an endpoint product does; undefined for any other record. */
export function deviceStartOf(eventId: string | null, record: OutputRecord): DeviceStart | undefined {
  if (eventId === null) return undefined;
  if (eventId === 'ProcessCreated') return 'InitiatingProcessId' in record ? defender : undefined;
  if (falconStart.test(eventId)) return 'TargetProcessId' in record ? falcon : undefined;
  if (/^process\s?creation$/i.test(eventId)) return has(record, sentinelOne.image) ? sentinelOne : undefined;
  if (carbonBlackStart.test(eventId)) return 'childproc_name' in record ? carbonBlackChild : carbonBlack;
  if (ecsStart.test(eventId) && 'process.executable' in record) return isProcess(record) ? ecs : undefined;
  const isRow = eventId === 'added' || eventId === 'snapshot';
  return isRow && has(record, ['columns.cmdline']) && has(record, ['columns.pid']) ? osquery : undefined;
}

function has(record: OutputRecord, names: readonly string[]): boolean {
  return names.some((name) => name in record);
}

/** An action that a library or file may have had, too. */
function isProcess(record: OutputRecord): boolean {
  const category = record['event.category'];
  const categories = Array.isArray(category) ? category : [category];
  return categories.some((one) => one === 'process' || one === 'audit-rule');
}
