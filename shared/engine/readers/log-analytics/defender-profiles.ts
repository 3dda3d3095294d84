import { type DeviceKind, systemOf } from '../endpoint/device-kinds.ts';
import { deviceProfiles, type Names, ofFiles, ofRegistry } from '../endpoint/device-profiles.ts';
import { account, hashesOf, pathOf, pipeName, registryData, registryTarget } from '../endpoint/sysmon-values.ts';
import type { Profile } from '../named/profile.ts';

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
  ['registrykeydeleted', 'registryKeyDeleted'],
  ['registryvaluedeleted', 'registryValueDeleted'],
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
const query: Readonly<Record<string, readonly string[]>> = {
  queryname: ['AdditionalFields.DnsQueryString', 'RemoteUrl'],
  queryresults: ['AdditionalFields.DnsQueryResult'],
};

const file = pathOf('FolderPath', 'FileName');
const initiatorPath = pathOf('InitiatingProcessFolderPath', 'InitiatingProcessFileName');
const initiatorUser = account('InitiatingProcessAccountDomain', 'InitiatingProcessAccountName');
const hashes = hashesOf({ SHA1: 'SHA1', MD5: 'MD5', SHA256: 'SHA256' });
const registryKey = registryTarget('RegistryKey', 'RegistryValueName');

const touched: Names = { derived: { hashes, targetfilename: file } };
const changed: Names = {
  derived: {
    targetobject: registryKey,
    details: (text) => registryData(text('RegistryValueType') ?? '', text('RegistryValueData')),
    newname: registryKey,
  },
};
const loaded: Names = { derived: { hashes, imageloaded: file } };
const onOther: Names = { derived: { sourceimage: initiatorPath, targetimage: file } };

const profiles = deviceProfiles({
  head: {
    time: ['Timestamp', 'TimeGenerated'],
    computer: ['DeviceName', 'AzureResourceId', 'DeviceId'],
    service: 'Defender for Endpoint',
    channel: ['Type'],
    event: ['ActionType'],
    record: ['ReportId'],
  },
  actor: { aliases: initiator, derived: { image: initiatorPath, user: initiatorUser } },
  process: {
    aliases: started,
    derived: {
      image: file,
      parentimage: initiatorPath,
      user: account('AccountDomain', 'AccountName'),
      parentuser: initiatorUser,
      hashes,
    },
  },
  kinds: {
    network: {
      aliases: connection,
      derived: { initiated: (text) => String(!/^inbound/i.test(text('ActionType') ?? '')) },
    },
    ...ofFiles(touched),
    ...ofRegistry(changed),
    imageLoad: loaded,
    driver: loaded,
    pipe: { derived: { pipename: pipeName('AdditionalFields.PipeName') } },
    remoteThread: onOther,
    processAccess: onOther,
    dns: { aliases: query },
  },
});

/** @param path of a program or file that tells the operating system. */
export function deviceProfile(kind: DeviceKind, path: string): Profile {
  return profiles(kind, systemOf(path));
}
