import { type JsonTree, nodeAt, textAt } from '../json/json-tree.ts';
import type { Derive, Profile } from '../named/profile.ts';
import { type DeviceKind, systemNamed, systemOf } from './device-kinds.ts';
import { deviceProfiles, type Names, ofFiles, ofRegistry } from './device-profiles.ts';
import { firstOf, hashesOf, registryData, registryPath } from './sysmon-values.ts';

/** Kinds by the type of the event, in lower case and without blanks. */
const kinds: ReadonlyMap<string, DeviceKind> = new Map([
  ['processcreation', 'process'],
  ['filecreation', 'fileCreated'],
  ['filemodification', 'fileModified'],
  ['filedeletion', 'fileDeleted'],
  ['filedelete', 'fileDeleted'],
  ['filerename', 'fileRenamed'],
  ['registryvaluecreate', 'registrySet'],
  ['registryvaluecreation', 'registrySet'],
  ['registryvaluemodified', 'registrySet'],
  ['registryvaluedelete', 'registryValueDeleted'],
  ['registrykeycreate', 'registryAdded'],
  ['registrykeydelete', 'registryKeyDeleted'],
  ['registrykeyrename', 'registryRenamed'],
  ['dnsresolved', 'dns'],
  ['dnsunresolved', 'dns'],
  ['ipconnect', 'network'],
  ['moduleload', 'imageLoad'],
  ['driverload', 'driver'],
  ['namedpipecreation', 'pipe'],
  ['namedpipeconnection', 'pipe'],
  ['remotethreadcreation', 'remoteThread'],
  ['openremoteprocesshandle', 'processAccess'],
  ['commandscript', 'script'],
]);

const types = ['event.type', 'eventType', 'EventType'];
const systemNames = ['endpoint.os', 'endpointOs', 'EndpointOs', 'EndpointOS', 'agentOs', 'AgentOs'];
const ownKeys = ['endpoint.os', 'endpointOs', 'EndpointOs', 'EndpointOS'];
const processKeys = [
  'srcProcName',
  'SrcProcName',
  'srcProcImagePath',
  'SrcProcImagePath',
  'tgtProcName',
  'TgtProcName',
];

/** Whether a record is one of Singularity's, by the names of now or by those of Deep Visibility. */
export function isSentinelOne(record: JsonTree): boolean {
  // By keys alone, so that what other records are need not be found out for each of them.
  if (!types.some((path) => nodeAt(record, path) !== undefined)) return false;
  return (
    ownKeys.some((path) => nodeAt(record, path) !== undefined) || processKeys.some((key) => Object.hasOwn(record, key))
  );
}

export function sentinelOneProfile(record: JsonTree): Profile {
  let kind =
    kinds.get(
      first(record, types)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, ''),
    ) ?? 'other';
  if (kind === 'script' && !/powershell|pwsh/i.test(textAt(record, 'cmdScript.applicationName'))) kind = 'other';
  const system = systemNamed(first(record, systemNames));
  return profiles(kind, system ?? systemOf(first(record, ['src.process.image.path', 'srcProcImagePath'])));
}

function first(record: JsonTree, paths: readonly string[]): string {
  for (const path of paths) {
    const text = textAt(record, path);
    if (text !== '') return text;
  }
  return '';
}

/** Who ran a process: of Windows a name, of others the real account or the effective one. */
function userOf(process: string, older: string): Derive {
  return (text) =>
    firstOf(
      text,
      `${process}.user`,
      `${older}User`,
      `${process}.eUserName`,
      `${process}.rUserName`,
      `${process}.lUserName`,
    );
}

function hashesAt(newer: string, older: string): Derive {
  const [now, then] = ['md5 sha1 sha256', 'Md5 Sha1 Sha256'].map((names, at) => {
    const [md5, sha1, sha256] = names.split(' ').map((name) => (at === 0 ? `${newer}.${name}` : `${older}${name}`));
    return hashesOf({ MD5: md5!, SHA1: sha1!, SHA256: sha256! });
  });
  return (text, texts) => now!(text, texts) ?? then!(text, texts);
}

function namesAt(newer: string, older: string): NonNullable<Names['aliases']> {
  return {
    image: [`${newer}.image.path`, `${older}ImagePath`, `${older}Name`],
    commandline: [`${newer}.cmdline`, `${older}CmdLine`],
    processid: [`${newer}.pid`, `${older}Pid`],
    integritylevel: [`${newer}.integrityLevel`, `${older}IntegrityLevel`],
    company: [`${newer}.publisher`, `${older}Publisher`],
    product: [`${newer}.displayName`, `${older}DisplayName`],
    description: [`${newer}.displayName`, `${older}DisplayName`],
  };
}

const path: Names['aliases'] = { targetfilename: ['tgt.file.path', 'tgtFilePath'] };
const touched: Names = {
  aliases: { ...path, sourcefilename: ['tgt.file.oldPath', 'tgtFileOldPath'] },
  derived: { hashes: hashesAt('tgt.file', 'tgtFile') },
};
/** The path of the key with the name of the value. */
const key: Derive = (text) => {
  const written = firstOf(text, 'registry.keyPath', 'registryKeyPath', 'registryPath');
  return written === undefined ? undefined : registryPath(written);
};
const changed: Names = {
  derived: {
    targetobject: key,
    newname: key,
    details: (text) =>
      registryData(
        firstOf(text, 'registry.valueType', 'registryValueType') ?? '',
        firstOf(text, 'registry.value', 'registryValue'),
      ),
  },
};
const onOther: Names = {
  aliases: {
    sourceimage: ['src.process.image.path', 'srcProcImagePath', 'srcProcName'],
    targetimage: ['tgt.process.image.path', 'tgtProcImagePath', 'tgtProcName'],
    grantedaccess: ['tgt.process.accessRights', 'tgtProcAccessRights'],
  },
};
/** Answers stand beside the types of their records: `type:  5 a.example;10.0.0.1;`. */
const untyped =
  (...names: readonly string[]): Derive =>
  (text) =>
    firstOf(text, ...names)?.replaceAll(/type:\s+\d+\s+/g, '');
const asked = untyped('event.dns.request', 'dnsRequest');
const answered = untyped('event.dns.response', 'dnsResponse');
const pipe = (name: string): string => (name === '' || name.startsWith('\\') ? name : `\\${name}`);

const profiles = deviceProfiles({
  head: {
    time: ['event.time', 'eventTime', 'createdAt', 'timestamp', '@timestamp'],
    computer: ['endpoint.name', 'endpointName', 'agentName', 'agent.uuid', 'agentUuid'],
    service: 'SentinelOne',
    event: ['event.type', 'eventType'],
    record: ['event.id', 'id'],
  },
  actor: {
    aliases: {
      ...namesAt('src.process', 'srcProc'),
      parentimage: ['src.process.parent.image.path', 'srcProcParentImagePath', 'srcProcParentName'],
      parentcommandline: ['src.process.parent.cmdline', 'srcProcParentCmdLine'],
    },
    derived: { user: userOf('src.process', 'srcProc') },
  },
  process: {
    aliases: {
      ...namesAt('tgt.process', 'tgtProc'),
      parentimage: ['src.process.image.path', 'srcProcImagePath', 'srcProcName'],
      parentcommandline: ['src.process.cmdline', 'srcProcCmdLine'],
      parentprocessid: ['src.process.pid', 'srcProcPid'],
      grandparentimage: ['src.process.parent.image.path', 'srcProcParentImagePath'],
    },
    derived: {
      user: userOf('tgt.process', 'tgtProc'),
      parentuser: userOf('src.process', 'srcProc'),
      hashes: hashesAt('tgt.process.image', 'tgtProcImage'),
    },
  },
  kinds: {
    network: {
      aliases: {
        destinationip: ['dst.ip.address', 'dstIp'],
        destinationport: ['dst.port.number', 'dstPort'],
        destinationhostname: ['url.address', 'event.dns.request'],
        sourceip: ['src.ip.address', 'srcIp'],
        sourceport: ['src.port.number', 'srcPort'],
      },
      derived: {
        initiated: (text) =>
          String(!/^in/i.test(firstOf(text, 'event.network.direction', 'netEventDirection', 'direction') ?? '')),
      },
    },
    ...ofFiles(touched),
    ...ofRegistry(changed),
    imageLoad: {
      aliases: { imageloaded: ['module.path', 'modulePath'] },
      derived: { hashes: hashesAt('module', 'module') },
    },
    driver: {
      aliases: { imageloaded: ['tgt.file.path', 'tgtFilePath'] },
      derived: { hashes: hashesAt('tgt.file', 'tgtFile') },
    },
    pipe: {
      derived: { pipename: (text) => pipe(firstOf(text, 'namedPipe.name', 'namedPipeName') ?? '') || undefined },
    },
    remoteThread: onOther,
    processAccess: onOther,
    dns: { derived: { queryname: asked, query: asked, queryresults: answered, answer: answered } },
    script: { aliases: { scriptblocktext: ['cmdScript.content'], path: ['tgt.file.path'] } },
  },
});
