import { isTree, type JsonTree, textAt } from '../json/json-tree.ts';
import { firewallAliases } from '../named/network-profiles.ts';
import type { Derive, Profile, TextOf } from '../named/profile.ts';
import { type DeviceKind, systemNamed, systemOf } from './device-kinds.ts';
import { deviceProfiles, type Names, ofFiles, ofRegistry } from './device-profiles.ts';
import { firstOf, hashesOf, knownAccount, registryData, registryTarget } from './sysmon-values.ts';

/** Kinds by the name of the event, lower-case. Names that end alike are in {@link written}. */
const kinds: ReadonlyMap<string, DeviceKind> = new Map([
  ['processrollup2', 'process'],
  ['syntheticprocessrollup2', 'process'],
  ['networkconnectip4', 'network'],
  ['networkconnectip6', 'network'],
  ['networkreceiveacceptip4', 'network'],
  ['networkreceiveacceptip6', 'network'],
  ['dnsrequest', 'dns'],
  ['suspiciousdnsrequest', 'dns'],
  ['filecreateinfo', 'fileCreated'],
  ['filedeleteinfo', 'fileDeleted'],
  ['filerenameinfo', 'fileRenamed'],
  ['asepvalueupdate', 'registrySet'],
  ['suspiciousregasepupdate', 'registrySet'],
  ['reggenericvalueupdate', 'registrySet'],
  ['regsystemconfigvalueupdate', 'registrySet'],
  ['classifiedmoduleload', 'imageLoad'],
  ['unsignedmoduleload', 'imageLoad'],
  ['imagehash', 'imageLoad'],
  ['driverload', 'driver'],
  ['scriptcontrolscaninfo', 'script'],
  ['scriptcontrolscantelemetry', 'script'],
  ['scriptcontroldetectinfo', 'script'],
]);
const written: readonly (readonly [RegExp, DeviceKind])[] = [
  [/written$/, 'fileCreated'],
  [/^(?!file|user|group).*deleted$/, 'fileDeleted'],
  [/renamed$/, 'fileRenamed'],
];
/** What was done to a value of the registry or its key, by `RegOperationType`. */
const operations: ReadonlyMap<string, DeviceKind> = new Map([
  ['2', 'registryValueDeleted'],
  ['3', 'registryAdded'],
  ['4', 'registryKeyDeleted'],
  ['7', 'registryRenamed'],
]);
const valueTypes: ReadonlyMap<string, string> = new Map([
  ['3', 'binary'],
  ['4', 'dword'],
  ['11', 'qword'],
]);

/** Whether a record is one of Falcon's, from its Data Replicator or from a search. */
export function isFalcon(record: JsonTree): boolean {
  return Object.hasOwn(record, 'event_simpleName') || Object.hasOwn(record, '#event_simpleName');
}

/** The event that a collector has put beneath what it says of it, or the record itself. */
export function falconEvent(record: JsonTree): JsonTree {
  const { event } = record;
  return isTree(event) && isFalcon(event) ? event : record;
}

export function falconProfile(record: JsonTree): Profile {
  const name = (textAt(record, 'event_simpleName') || textAt(record, '#event_simpleName')).toLowerCase();
  let kind = kinds.get(name) ?? written.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
  if (kind === 'registrySet') kind = operations.get(textAt(record, 'RegOperationType')) ?? kind;
  const image = textAt(record, 'ImageFileName');
  if (kind === 'script' && !/(?:powershell(?:_ise)?|pwsh)(?:\.exe)?$/i.test(image)) kind = 'other';
  const system = systemNamed(textAt(record, 'event_platform'));
  if (system === undefined && textAt(record, 'event_platform') !== '') return unknownSystem;
  // Rules that leave out programs would fire on each connection or name of which the program is not told.
  if (!isNamed(record) && kind === 'network') return connection;
  if (!isNamed(record) && kind === 'dns') return nameAsked;
  return profiles(kind, system ?? systemOf(image || textAt(record, 'TargetFileName')));
}

function isNamed(record: JsonTree): boolean {
  return ['ContextBaseFileName', 'ContextImageFileName', 'ImageFileName'].some((name) => Object.hasOwn(record, name));
}

/**
 * The path of an image or file as rules ask for it: the volume on which Windows, its programs and users are is `C:`,
 * any other stays what it is.
 */
function drivePath(path: string): string {
  return path
    .replace(
      /^\\Device\\HarddiskVolume\d+(?=\\(?:Windows|Program Files|Program Files \(x86\)|ProgramData|Users)(?:\\|$))/i,
      'C:',
    )
    .replace(/^\\\?\?\\(?=[A-Z]:\\)/i, '');
}

function pathIn(...names: readonly string[]): Derive {
  return (text) => {
    const path = firstOf(text, ...names);
    return path === undefined ? undefined : drivePath(path);
  };
}

/** A path, or what stands for one where the sensor tells the name of the program only: its end, which rules ask for. */
function programOf(path: string, name: string): Derive {
  return (text) => {
    const whole = firstOf(text, path);
    if (whole !== undefined) return drivePath(whole);
    const last = firstOf(text, name);
    return last === undefined || /[\\/]/.test(last) ? last : `${separatorOf(text)}${last}`;
  };
}

function separatorOf(text: TextOf): string {
  return systemNamed(text('event_platform') ?? '') === 'windows' ? '\\' : '/';
}

const user: Derive = (text) =>
  firstOf(text, 'UserName', 'UserPrincipal') ?? knownAccount(firstOf(text, 'UserSid', 'UID'));
const integrityLevels: ReadonlyMap<string, string> = new Map([
  ['16384', 'System'],
  ['12288', 'High'],
  ['8192', 'Medium'],
  ['4096', 'Low'],
]);
const protocols: ReadonlyMap<string, string> = new Map([
  ['6', 'tcp'],
  ['17', 'udp'],
]);
/** The name of a number that Falcon writes under a name which Sysmon has, too, but for the case of its letters. */
function nameIn(names: ReadonlyMap<string, string>, field: string): Derive {
  return (text) => {
    const number = text(field);
    return number === undefined ? undefined : (names.get(number) ?? number);
  };
}
const hashes = hashesOf({ MD5: 'MD5HashData', SHA1: 'SHA1HashData', SHA256: 'SHA256HashData' });
const touched: Names = {
  aliases: { sourcefilename: ['SourceFileName'] },
  derived: { targetfilename: pathIn('TargetFileName'), hashes },
};
const key = registryTarget('RegObjectName', 'RegValueName');
const changed: Names = {
  derived: {
    targetobject: key,
    newname: key,
    details: (text) =>
      registryData(
        valueTypes.get(text('RegType') ?? '') ?? '',
        firstOf(text, 'RegStringValue', 'RegNumericValue', 'RegBinaryValue'),
      ),
  },
};
const loaded: Names = {
  derived: {
    imageloaded: pathIn('ImageFileName'),
    image: programOf('TargetImageFileName', 'ContextBaseFileName'),
    hashes,
  },
};
const head = {
  time: ['ContextTimeStamp', 'ProcessStartTime', 'timestamp', '@timestamp', '_time'],
  computer: ['ComputerName', 'aid'],
  service: 'Falcon',
  event: ['event_simpleName', '#event_simpleName'],
  record: ['id', '@id'],
};

const dnsNames = {
  queryname: ['DomainName'],
  query: ['DomainName'],
  queryresults: ['IP4Records', 'IP6Records', 'CNAMERecords'],
  answer: ['IP4Records', 'IP6Records', 'CNAMERecords'],
  querystatus: ['QueryStatus'],
};
const remote = ['RemoteAddressIP4', 'RemoteAddressIP6'];
const local = ['LocalAddressIP4', 'LocalAddressIP6'];

const profiles = deviceProfiles({
  head,
  rewritten: new Set(['TargetFilename', 'IntegrityLevel', 'Protocol']),
  actor: {
    aliases: { processid: ['ContextProcessId'], parentcommandline: ['ParentCommandLine'] },
    derived: {
      image: programOf('ContextImageFileName', 'ContextBaseFileName'),
      parentimage: programOf('ParentImageFileName', 'ParentBaseFileName'),
      user,
    },
  },
  process: {
    aliases: {
      originalfilename: ['OriginalFilename'],
      processid: ['RawProcessId'],
      grandparentimage: ['GrandparentImageFileName', 'GrandParentBaseFileName'],
      currentdirectory: ['WorkingDirectory'],
    },
    derived: {
      image: pathIn('ImageFileName'),
      parentimage: programOf('ParentImageFileName', 'ParentBaseFileName'),
      user,
      hashes,
      integritylevel: nameIn(integrityLevels, 'integritylevel'),
    },
  },
  kinds: {
    network: {
      aliases: {
        destinationip: remote,
        destinationport: ['RemotePort'],
        sourceip: local,
        sourceport: ['LocalPort'],
      },
      derived: {
        protocol: nameIn(protocols, 'protocol'),
        initiated: (text) => String(!/Receive/i.test(firstOf(text, 'event_simpleName', '#event_simpleName') ?? '')),
      },
    },
    dns: { aliases: dnsNames },
    ...ofFiles(touched),
    ...ofRegistry(changed),
    imageLoad: loaded,
    driver: loaded,
    script: {
      aliases: { scriptblocktext: ['ScriptContent'], path: ['ScriptContentName'] },
      derived: { image: pathIn('ImageFileName') },
    },
  },
});

const connection: Profile = {
  source: 'firewall',
  aliases: {
    ...firewallAliases,
    src_ip: local,
    src_port: ['LocalPort'],
    dst_ip: remote,
    dst_port: ['RemotePort'],
  },
  derived: { blocked: () => 'false' },
  head,
};
const nameAsked: Profile = { source: 'dns', aliases: dnsNames, head };
/** Of a phone, for which there are no rules. */
const unknownSystem: Profile = { source: 'unlabelled', head };
