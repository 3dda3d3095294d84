import type { InputSource } from '../../sigma/input-sources.ts';
import type { Derive, Profile, TextOf } from '../named/profile.ts';

/** What a record of Defender's advanced hunting is to rules. */
export type DeviceKind =
  | 'process'
  | 'network'
  | 'fileCreated'
  | 'fileModified'
  | 'fileDeleted'
  | 'fileRenamed'
  | 'registryAdded'
  | 'registrySet'
  | 'registryDeleted'
  | 'registryRenamed'
  | 'imageLoad'
  | 'pipe'
  | 'driver'
  | 'remoteThread'
  | 'processAccess'
  | 'dns'
  | 'other';

/** Kinds by the value of `ActionType`, lower-case. */
export const kindsOfActions: ReadonlyMap<string, DeviceKind> = new Map([
  ['processcreated', 'process'],
  ['connectionsuccess', 'network'],
  ['connectionfailed', 'network'],
  ['connectionattempt', 'network'],
  ['connectionrequest', 'network'],
  ['connectionfound', 'network'],
  ['connectionacknowledged', 'network'],
  ['inboundconnectionaccepted', 'network'],
  ['inboundconnectionattempt', 'network'],
  ['inboundconnectionacknowledged', 'network'],
  ['filecreated', 'fileCreated'],
  ['filemodified', 'fileModified'],
  ['filedeleted', 'fileDeleted'],
  ['filerenamed', 'fileRenamed'],
  ['registrykeycreated', 'registryAdded'],
  ['registryvalueset', 'registrySet'],
  ['registrykeydeleted', 'registryDeleted'],
  ['registryvaluedeleted', 'registryDeleted'],
  ['registrykeyrenamed', 'registryRenamed'],
  ['imageloaded', 'imageLoad'],
  ['namedpipeevent', 'pipe'],
  ['driverload', 'driver'],
  ['createremotethreadapicall', 'remoteThread'],
  ['openprocessapicall', 'processAccess'],
  ['dnsqueryresponse', 'dns'],
]);

/** Names of Sysmon for what was acting: of a process that starts, its parent. */
const initiator: Readonly<Record<string, readonly string[]>> = {
  commandline: ['InitiatingProcessCommandLine'],
  parentimage: ['InitiatingProcessParentFileName'],
  processid: ['InitiatingProcessId'],
  originalfilename: ['InitiatingProcessVersionInfoOriginalFileName'],
  product: ['InitiatingProcessVersionInfoProductName'],
  company: ['InitiatingProcessVersionInfoCompanyName'],
  description: ['InitiatingProcessVersionInfoFileDescription'],
  integritylevel: ['InitiatingProcessIntegrityLevel'],
};
const started: Readonly<Record<string, readonly string[]>> = {
  commandline: ['ProcessCommandLine'],
  parentcommandline: ['InitiatingProcessCommandLine'],
  parentprocessid: ['InitiatingProcessId'],
  grandparentimage: ['InitiatingProcessParentFileName'],
  integritylevel: ['ProcessIntegrityLevel'],
  parentintegritylevel: ['InitiatingProcessIntegrityLevel'],
  originalfilename: ['ProcessVersionInfoOriginalFileName'],
  product: ['ProcessVersionInfoProductName'],
  company: ['ProcessVersionInfoCompanyName'],
  description: ['ProcessVersionInfoFileDescription'],
  fileversion: ['ProcessVersionInfoProductVersion'],
  currentdirectory: ['ProcessCurrentWorkingDirectory'],
};
const connection: Readonly<Record<string, readonly string[]>> = {
  destinationip: ['RemoteIP'],
  destinationport: ['RemotePort'],
  destinationhostname: ['RemoteUrl'],
  sourceip: ['LocalIP'],
  sourceport: ['LocalPort'],
};
const registry: Readonly<Record<string, readonly string[]>> = { eventtype: ['ActionType'] };
const query: Readonly<Record<string, readonly string[]>> = {
  queryname: ['AdditionalFields.DnsQueryString', 'RemoteUrl'],
  queryresults: ['AdditionalFields.DnsQueryResult'],
};

const file = pathOf('FolderPath', 'FileName');
const initiatorPath = pathOf('InitiatingProcessFolderPath', 'InitiatingProcessFileName');
const initiatorUser = account('InitiatingProcessAccountDomain', 'InitiatingProcessAccountName');
const byInitiator: Readonly<Record<string, Derive>> = { image: initiatorPath, user: initiatorUser };
const byInitiatorWithHashes = { ...byInitiator, hashes: hashesOf('') };

interface Kind {
  /** By operating system; where there is none for one, records of it are its product's and no more. */
  readonly sources: { readonly windows: InputSource; readonly linux?: InputSource; readonly macos?: InputSource };
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  readonly derived: Readonly<Record<string, Derive>>;
}

function touched(windows: InputSource, others: Omit<Kind['sources'], 'windows'> = {}): Kind {
  const derived = { ...byInitiatorWithHashes, targetfilename: file };
  return { sources: { windows, ...others }, aliases: initiator, derived };
}

function changed(windows: InputSource): Kind {
  const derived = { ...byInitiator, targetobject: registryTarget, details: registryDetails, newname: registryTarget };
  return { sources: { windows }, aliases: { ...initiator, ...registry }, derived };
}

function onOther(windows: InputSource): Kind {
  const derived = { ...byInitiator, sourceimage: initiatorPath, targetimage: file };
  return { sources: { windows }, aliases: initiator, derived };
}

function loaded(windows: InputSource): Kind {
  return { sources: { windows }, aliases: initiator, derived: { ...byInitiatorWithHashes, imageloaded: file } };
}

const kinds: Readonly<Record<DeviceKind, Kind>> = {
  process: {
    sources: { windows: 'defenderProcess', linux: 'linuxProcess', macos: 'macosProcess' },
    aliases: started,
    derived: {
      image: file,
      parentimage: initiatorPath,
      user: account('AccountDomain', 'AccountName'),
      parentuser: initiatorUser,
      hashes: hashesOf(''),
    },
  },
  network: {
    sources: { windows: 'defenderNetwork', linux: 'linuxNetwork' },
    aliases: { ...initiator, ...connection },
    derived: { ...byInitiator, initiated: (text) => String(!/^inbound/i.test(text('ActionType') ?? '')) },
  },
  fileCreated: touched('defenderFileCreated', { linux: 'linuxFile', macos: 'macosFile' }),
  fileModified: touched('defenderFileModified'),
  fileDeleted: touched('defenderFileDeleted', { linux: 'linuxFileDeleted' }),
  fileRenamed: touched('defenderFileRenamed'),
  registryAdded: changed('defenderRegistryAdded'),
  registrySet: changed('defenderRegistrySet'),
  registryDeleted: changed('defenderRegistryDeleted'),
  registryRenamed: changed('defenderRegistryRenamed'),
  imageLoad: loaded('defenderImageLoad'),
  driver: loaded('defenderDriver'),
  pipe: { sources: { windows: 'defenderPipe' }, aliases: initiator, derived: { ...byInitiator, pipename: pipeName } },
  remoteThread: onOther('defenderRemoteThread'),
  processAccess: onOther('defenderProcessAccess'),
  dns: { sources: { windows: 'defenderDns' }, aliases: { ...initiator, ...query }, derived: byInitiator },
  other: { sources: { windows: 'windows' }, aliases: initiator, derived: byInitiator },
};

type System = 'windows' | 'linux' | 'macos';

const profiles = new Map<string, Profile>();
for (const [kind, { sources, aliases, derived }] of Object.entries(kinds)) {
  for (const system of ['windows', 'linux', 'macos'] as const) {
    profiles.set(`${kind} ${system}`, {
      source: sources[system] ?? system,
      aliases,
      derived,
      head: {
        time: ['Timestamp', 'TimeGenerated'],
        computer: ['DeviceName', 'AzureResourceId', 'DeviceId'],
        service: 'Defender for Endpoint',
        channel: ['Type'],
        event: ['ActionType'],
        record: ['ReportId'],
      },
    });
  }
}

/** @param path of a program or file that tells the operating system. */
export function deviceProfile(kind: DeviceKind, path: string): Profile {
  return profiles.get(`${kind} ${systemOf(path)}`)!;
}

function systemOf(path: string): System {
  if (!path.startsWith('/')) return 'windows';
  return /^\/(?:Applications|Library|System|Users|private)\//.test(path) ? 'macos' : 'linux';
}

/** A path with the name of the file, which some tables have in it and others beside it. */
function pathOf(folder: string, name: string): Derive {
  return (text) => {
    const [path = '', last = ''] = [text(folder), text(name)];
    if (last === '' || path === '' || path.toLowerCase().endsWith(last.toLowerCase())) return path || last || undefined;
    const separator = path.includes('/') ? '/' : '\\';
    return path.endsWith(separator) ? `${path}${last}` : `${path}${separator}${last}`;
  };
}

function account(domain: string, name: string): Derive {
  return (text) => {
    const [of = '', who = ''] = [text(domain), text(name)];
    return who === '' ? undefined : of === '' ? who : `${of}\\${who}`;
  };
}

/** As Sysmon writes them: `MD5=…,SHA256=…`. */
function hashesOf(prefix: string): Derive {
  return (text) => {
    const found = ['SHA1', 'MD5', 'SHA256'].flatMap((name) => {
      const hash = text(`${prefix}${name}`) ?? '';
      return hash === '' ? [] : `${name}=${hash.toUpperCase()}`;
    });
    return found.length === 0 ? undefined : found.join(',');
  };
}

/** Key and value as Sysmon writes them. */
function registryTarget(text: TextOf): string | undefined {
  const key = text('RegistryKey') ?? '';
  if (key === '') return undefined;
  const path = key
    .replace(/^HKEY_LOCAL_MACHINE/i, 'HKLM')
    .replace(/^HKEY_CURRENT_USER(?=\\S-1-)/i, 'HKU')
    .replace(/^HKEY_CURRENT_USER/i, 'HKCU')
    .replace(/^HKEY_USERS/i, 'HKU')
    .replace(/^HKEY_CLASSES_ROOT/i, 'HKCR')
    .replace(/\\ControlSet\d{3}(?=\\|$)/i, '\\CurrentControlSet');
  const value = text('RegistryValueName') ?? '';
  return value === '' ? path : `${path}\\${value}`;
}

/** A value as Sysmon writes it: numbers in hexadecimal after their type. */
function registryDetails(text: TextOf): string | undefined {
  const [type = '', data] = [text('RegistryValueType'), text('RegistryValueData')];
  if (data === undefined || !/^\d+$/.test(data)) return /^binary$/i.test(type) ? 'Binary Data' : data;
  const hex = (digits: number): string => BigInt(data).toString(16).padStart(digits, '0');
  if (/^dword$/i.test(type)) return `DWORD (0x${hex(8)})`;
  if (/^qword$/i.test(type)) return `QWORD (0x${hex(16).slice(0, -8)}-0x${hex(16).slice(-8)})`;
  return data;
}

/** Without the device's path, as Sysmon writes it. */
function pipeName(text: TextOf): string | undefined {
  return text('AdditionalFields.PipeName')?.replace(/^\\Device\\NamedPipe/i, '');
}
