import { type JsonTree, textAt } from '../json/json-tree.ts';
import type { Derive, Profile } from '../named/profile.ts';
import { type DeviceKind, systemNamed, systemOf } from './device-kinds.ts';
import { deviceProfiles, type Names, ofFiles, ofRegistry } from './device-profiles.ts';
import { firstOf, hashesIn, registryPath } from './sysmon-values.ts';

const ofType = /^(?:ingress|endpoint)\.event\.(\w+)$/;
/** The actions of events of one type, of which some are put together: `ACTION_FILE_CREATE | ACTION_FILE_WRITE`. */
const actions: Readonly<Record<string, readonly (readonly [RegExp, DeviceKind])[]>> = {
  filemod: [
    [/delet/i, 'fileDeleted'],
    [/rename/i, 'fileRenamed'],
    [/creat|firstw/i, 'fileCreated'],
    [/writ|mod/i, 'fileModified'],
  ],
  regmod: [
    [/del\w*_?val/i, 'registryValueDeleted'],
    [/del/i, 'registryKeyDeleted'],
    [/creat/i, 'registryAdded'],
    [/rename/i, 'registryRenamed'],
    [/writ/i, 'registrySet'],
  ],
  crossproc: [
    [/remote_?thread/i, 'remoteThread'],
    [/open_process/i, 'processAccess'],
  ],
};
const kinds: ReadonlyMap<string, DeviceKind> = new Map([
  ['procstart', 'process'],
  ['process', 'process'],
  ['netconn', 'network'],
  ['netconn2', 'network'],
  ['moduleload', 'imageLoad'],
  ['crossprocopen', 'processAccess'],
  ['remotethread', 'remoteThread'],
  ['fileless_scriptload', 'script'],
]);

/** Whether the keys of a record are those of EDR’s event forwarder or of the Cloud’s data forwarder. */
export function isCarbonBlack(record: JsonTree): boolean {
  const named = Object.hasOwn(record, 'process_guid') || Object.hasOwn(record, 'computer_name');
  return named && Object.hasOwn(record, 'type');
}

/** Undefined for a record of another type than such events have. */
export function carbonBlackProfile(record: JsonTree): Profile | undefined {
  const type = ofType.exec(textAt(record, 'type'))?.[1];
  if (type === undefined) return undefined;
  const action = textAt(record, 'action') || textAt(record, 'crossproc_action');
  const acts = Object.hasOwn(actions, type) ? actions[type]! : [];
  let kind = kinds.get(type) ?? acts.find(([pattern]) => pattern.test(action))?.[1] ?? 'other';
  const image = textAt(record, 'process_path') || textAt(record, 'path');
  if (kind === 'script' && !/(?:powershell(?:_ise)?|pwsh)(?:\.exe)?$/i.test(image)) kind = 'other';
  const system = systemNamed(textAt(record, 'device_os')) ?? systemOf(image);
  if (kind !== 'process' || Object.hasOwn(record, 'childproc_name')) return profiles(kind, system);
  return starts(kind, system);
}

const pathAlias =
  (...names: readonly string[]): Derive =>
  (text) => {
    const written = firstOf(text, ...names);
    return written === undefined ? undefined : registryPath(written);
  };
const key = pathAlias('regmod_name', 'path');
const changed: Names = { derived: { targetobject: key, newname: key } };
const touched: Names = {
  aliases: { targetfilename: ['filemod_name', 'path'] },
  derived: { hashes: hashesIn('filemod_hash', 'md5', 'sha256') },
};
const onOther: Names = {
  aliases: {
    sourceimage: ['process_path'],
    targetimage: ['crossproc_name', 'target_path', 'target_proc_path'],
    grantedaccess: ['requested_access'],
  },
};
const head = {
  // EDR’s forwarder has one time; the Cloud’s tells when the device saw it.
  time: ['device_timestamp', 'timestamp', 'event_timestamp', 'backend_timestamp'],
  computer: ['ComputerName', 'computer_name', 'device_id', 'sensor_id'],
  service: 'Carbon Black',
  event: ['type'],
  record: ['event_id'],
};
/** Of a member of a domain the Cloud writes `DOMAIN\\name`. */
const computername: Derive = (text) => text('device_name')?.replace(/^.*\\/, '');
const actor: Names = {
  derived: { computername },
  aliases: {
    image: ['process_path'],
    commandline: ['process_cmdline'],
    parentimage: ['parent_path'],
    parentcommandline: ['parent_cmdline'],
    processid: ['process_pid', 'pid'],
    user: ['process_username', 'username'],
  },
};
const product = {
  head,
  actor,
  /** The Cloud tells of a start as of something that the process that starts another one does. */
  process: {
    aliases: {
      image: ['childproc_name'],
      commandline: ['target_cmdline', 'childproc_cmdline'],
      parentimage: ['process_path'],
      parentcommandline: ['process_cmdline'],
      processid: ['childproc_pid'],
      parentprocessid: ['process_pid'],
      user: ['childproc_username'],
      parentuser: ['process_username'],
      grandparentimage: ['parent_path'],
    },
    derived: { computername, hashes: hashesIn('childproc_hash', 'childproc_md5', 'childproc_sha256') },
  },
  kinds: {
    network: {
      aliases: {
        destinationip: ['remote_ip', 'netconn_remote_ipv4', 'netconn_remote_ipv6', 'ipv4'],
        destinationport: ['remote_port', 'netconn_remote_port', 'port'],
        destinationhostname: ['netconn_domain', 'domain'],
        sourceip: ['local_ip', 'netconn_local_ipv4', 'netconn_local_ipv6'],
        sourceport: ['local_port', 'netconn_local_port'],
      },
      derived: {
        initiated: (text) => String(text('netconn_inbound') !== 'true' && !/^in/i.test(text('direction') ?? '')),
      },
    },
    ...ofFiles(touched),
    ...ofRegistry(changed),
    imageLoad: {
      aliases: { imageloaded: ['modload_name', 'path'] },
      derived: { hashes: hashesIn('modload_hash', 'modload_md5', 'modload_sha256', 'md5', 'sha256') },
    },
    remoteThread: onOther,
    processAccess: onOther,
    script: { aliases: { scriptblocktext: ['fileless_scriptload_cmdline'] } },
  },
} satisfies Parameters<typeof deviceProfiles>[0];

const profiles = deviceProfiles(product);
/** Of records that name what was started as the process itself: EDR’s, and the Cloud’s without a child. */
const starts = deviceProfiles({
  ...product,
  process: {
    aliases: {
      ...actor.aliases,
      image: ['process_path', 'path'],
      commandline: ['process_cmdline', 'target_cmdline', 'command_line', 'cmdline'],
      parentprocessid: ['parent_pid'],
    },
    derived: { computername, hashes: hashesIn('process_hash', 'process_md5', 'process_sha256', 'md5', 'sha256') },
  },
});
