import { isTree, type JsonTree, textAt } from '../json/json-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { Derive, Profile } from '../named/profile.ts';
import { type DeviceKind, systemNamed, systemOf } from './device-kinds.ts';
import { deviceProfiles, type Names, ofFiles } from './device-profiles.ts';
import { firstOf, hashesOf, knownAccount, registryData, registryPath } from './sysmon-values.ts';

/** Whether a record is of osquery’s log of results. */
export function isOsquery(record: JsonTree): boolean {
  const has = (key: string): boolean => Object.hasOwn(record, key);
  return (has('hostIdentifier') || has('unixTime')) && (has('columns') || has('snapshot') || has('diffResults'));
}

/** Whether a record holds rows that are to be read one by one, or a Windows event. */
export function holdsOsqueryRows(record: JsonTree): boolean {
  if (!isOsquery(record)) return false;
  return Array.isArray(record.snapshot) || isTree(record.diffResults) || isWindowsEvent(record.columns);
}

/** The rows of a record, each as a record of its own: all of a snapshot, and of a difference what was added. */
export function osqueryRows(record: JsonObject): readonly JsonObject[] {
  const { snapshot, diffResults, ...rest } = record;
  const lists: readonly [string, JsonValue | undefined][] = [
    ['snapshot', snapshot],
    ['added', isObject(diffResults) ? diffResults.added : undefined],
  ];
  const rows = lists.flatMap(([action, list]) =>
    Array.isArray(list)
      ? (list as readonly JsonValue[]).flatMap((columns) => (isObject(columns) ? { ...rest, columns, action } : []))
      : [],
  );
  return rows.length === 0 ? [record] : rows;
}

/** The Windows event in a row of `windows_events` or `windows_eventlog`, in a form of json_evtx; undefined for another row. */
export function osqueryWindowsEvent({ columns, hostIdentifier }: JsonObject): JsonObject | undefined {
  if (!isObject(columns) || !windowsColumns.every((column) => Object.hasOwn(columns, column))) return undefined;
  return {
    Provider_Name: columns.provider_name ?? null,
    Provider_Guid: columns.provider_guid ?? null,
    EventID: columns.eventid!,
    TimeCreated_SystemTime: columns.datetime ?? columns.time ?? null,
    Channel: columns.channel ?? columns.source ?? null,
    Computer: columns.computer_name ?? hostIdentifier ?? null,
    ...dataOf(columns.data),
  };
}

const windowsColumns = ['eventid', 'data', 'provider_name'];

function isWindowsEvent(columns: JsonTree[string]): boolean {
  return isTree(columns) && windowsColumns.every((column) => Object.hasOwn(columns, column));
}

function dataOf(text: JsonValue | undefined): JsonObject {
  try {
    const data = typeof text === 'string' ? (JSON.parse(text) as JsonValue) : text;
    return isObject(data) ? data : {};
  } catch {
    return {};
  }
}

export function osqueryProfile(record: JsonTree): Profile {
  const { columns } = record;
  if (!isTree(columns)) return none;
  const path = firstPath(columns);
  const system = systemNamed(textAt(record, 'decorations.platform'));
  if (path === '' && system === undefined) return none;
  const action = textAt(record, 'action');
  const kind =
    action === 'removed' ? 'other' : kindOf(columns, action === 'added' && textAt(record, 'counter') !== '0');
  return profiles(kind, system ?? systemOf(path));
}

/** A path of the device’s, by whose form its operating system is told; empty where there is none. */
function firstPath(columns: JsonTree): string {
  for (const name of ['path', 'target_path', 'filename', 'cwd', 'root', 'key']) {
    const path = textAt(columns, name);
    if (/^(?:\/|\\|[A-Z]:\\|HKEY_)/i.test(path)) return path;
  }
  return '';
}

/** @param isNew whether the row is something that was not there when the query ran before. */
function kindOf(columns: JsonTree, isNew: boolean): DeviceKind {
  const has = (...names: readonly string[]): boolean => names.every((name) => Object.hasOwn(columns, name));
  const deed = (textAt(columns, 'action') || textAt(columns, 'event_type') || textAt(columns, 'type')).toLowerCase();
  if (has('target_path') || has('filename', 'event_type')) return fileKinds.get(deed) ?? 'other';
  if (has('key', 'name', 'data')) return isNew ? 'registrySet' : 'other';
  if (has('remote_address', 'remote_port')) {
    const isConnected = textAt(columns, 'path') !== '' && textAt(columns, 'remote_port') !== '0';
    return isConnected && deed !== 'bind' && deed !== 'close' ? 'network' : 'other';
  }
  if (!has('cmdline') || !(has('pid') || has('parent'))) return 'other';
  const isEnd = /^(?:fork|exit|processstop)$/.test(deed) || /^(?:v?fork|clone3?)$/.test(textAt(columns, 'syscall'));
  return isEnd ? 'other' : 'process';
}

const fileKinds: ReadonlyMap<string, DeviceKind> = new Map([
  ['created', 'fileCreated'],
  ['create', 'fileCreated'],
  ['moved_to', 'fileCreated'],
  ['updated', 'fileModified'],
  ['write', 'fileModified'],
  ['deleted', 'fileDeleted'],
  ['moved_from', 'fileDeleted'],
  ['rename', 'fileRenamed'],
]);

const user: Derive = (text) =>
  firstOf(text, 'columns.username', 'columns.user') ?? knownAccount(firstOf(text, 'columns.euid', 'columns.uid'));
const hashes = hashesOf({ MD5: 'columns.md5', SHA1: 'columns.sha1', SHA256: 'columns.sha256' });
const touched: Names = {
  aliases: { targetfilename: ['columns.target_path', 'columns.dest_filename', 'columns.filename'] },
  derived: { hashes },
};
const started: Names = {
  aliases: {
    image: ['columns.path', 'columns.name'],
    commandline: ['columns.cmdline'],
    currentdirectory: ['columns.cwd'],
    processid: ['columns.pid'],
    parentprocessid: ['columns.parent', 'columns.ppid'],
    parentimage: ['columns.parent_path', 'columns.parent_name'],
    parentcommandline: ['columns.parent_cmdline'],
  },
  derived: { user, hashes },
};

const head = {
  // Tables of events tell when each was; of the others it is known when the query ran.
  time: ['columns.time', 'unixTime', 'calendarTime'],
  computer: ['decorations.hostname', 'hostIdentifier', 'decorations.host_uuid'],
  service: 'osquery',
  channel: ['name'],
  event: ['action'],
  record: ['columns.eid'],
};
const none: Profile = { source: 'unlabelled', head };

const profiles = deviceProfiles({
  head,
  actor: {
    aliases: { ...started.aliases, image: ['columns.path', 'columns.executable'] },
    derived: { user },
  },
  process: started,
  kinds: {
    network: {
      aliases: {
        destinationip: ['columns.remote_address'],
        destinationport: ['columns.remote_port'],
        sourceip: ['columns.local_address'],
        sourceport: ['columns.local_port'],
      },
      derived: { initiated: (text) => String(text('columns.action') !== 'accept') },
    },
    // The path of such a row is the file that was touched.
    ...ofFiles(touched),
    registrySet: {
      derived: {
        targetobject: (text) => {
          const path = firstOf(text, 'columns.path');
          if (path !== undefined) return registryPath(path);
          return `${registryPath(text('columns.key') ?? '')}\\${text('columns.name') ?? ''}`;
        },
        details: (text) => registryData(text('columns.type') ?? '', text('columns.data')),
      },
    },
  },
});
