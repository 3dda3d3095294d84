/** Places of Elastic Common Schema values, by the EventData name that Windows gives the same value. */
export type EcsNames = Readonly<Record<string, string>>;

const process: EcsNames = {
  Image: 'process.executable',
  CommandLine: 'process.command_line',
  ProcessId: 'process.pid',
  ProcessGuid: 'process.entity_id',
  CurrentDirectory: 'process.working_directory',
  ParentImage: 'process.parent.executable',
  ParentCommandLine: 'process.parent.command_line',
  ParentProcessId: 'process.parent.pid',
  ParentProcessGuid: 'process.parent.entity_id',
  RuleName: 'rule.name',
};

const network: EcsNames = {
  SourceIp: 'source.ip',
  SourcePort: 'source.port',
  SourceHostname: 'source.domain',
  DestinationIp: 'destination.ip',
  DestinationPort: 'destination.port',
  DestinationHostname: 'destination.domain',
  Protocol: 'network.transport',
  QueryName: 'dns.question.name',
};

const registry: EcsNames = { TargetObject: 'registry.path', Details: 'registry.data.strings' };

const portableExecutable: EcsNames = {
  OriginalFileName: 'pe.original_file_name',
  Company: 'pe.company',
  Description: 'pe.description',
  FileVersion: 'pe.file_version',
  Product: 'pe.product',
};

const signature: EcsNames = {
  Signature: 'code_signature.subject_name',
  SignatureStatus: 'code_signature.status',
  Signed: 'code_signature.signed',
};

const sysmon: EcsNames = {
  ...process,
  ...network,
  ...registry,
  ...below('process', portableExecutable),
  TargetFilename: 'file.path',
};

const image: EcsNames = { ...process, ...below('file', portableExecutable), ...below('file', signature) };

/** Sysmon events in which a value of ECS means something else than in the others. */
const sysmonEvents: Readonly<Record<string, EcsNames>> = {
  '6': { ...image, ImageLoaded: 'file.path' },
  '7': { ...image, ...below('dll', portableExecutable), ...below('dll', signature), ImageLoaded: 'dll.path' },
};

const security: EcsNames = {
  NewProcessName: 'process.executable',
  ProcessName: 'process.executable',
  CommandLine: 'process.command_line',
  NewProcessId: 'process.pid',
  ProcessId: 'process.parent.pid',
  ParentProcessName: 'process.parent.executable',
  IpAddress: 'source.ip',
  IpPort: 'source.port',
  WorkstationName: 'source.domain',
  SourceAddress: 'source.ip',
  SourcePort: 'source.port',
  DestAddress: 'destination.ip',
  DestPort: 'destination.port',
  SubjectUserSid: 'user.id',
  SubjectUserName: 'user.name',
  SubjectDomainName: 'user.domain',
  TargetUserSid: 'user.target.id',
  TargetUserName: 'user.target.name',
  TargetDomainName: 'user.target.domain',
  ObjectName: 'file.path',
  ServiceName: 'service.name',
};

const powershell: EcsNames = {
  ScriptBlockText: 'powershell.file.script_block_text',
  ScriptBlockId: 'powershell.file.script_block_id',
  Path: 'file.path',
  Payload: 'powershell.command.invocation_details',
  HostApplication: 'process.command_line',
  EngineVersion: 'powershell.engine.version',
};

/** Where shippers that rename event_data to ECS have put the values that rules ask for. */
export function ecsNames(provider: string, eventId: string): EcsNames {
  switch (provider.toLowerCase()) {
    case 'microsoft-windows-sysmon':
      return sysmonEvents[eventId] ?? sysmon;
    case 'microsoft-windows-security-auditing':
      return security;
    case 'microsoft-windows-powershell':
    case 'powershell':
    case 'powershellcore':
      return powershell;
    default:
      return process;
  }
}

/** ECS objects with the hashes that make up Sysmon's Hashes, and the names these have there. */
export const ecsHashOwners = ['process', 'file', 'dll'] as const;
export const ecsHashes: Readonly<Record<string, string>> = {
  MD5: 'hash.md5',
  SHA1: 'hash.sha1',
  SHA256: 'hash.sha256',
  IMPHASH: 'pe.imphash',
};

function below(owner: string, names: EcsNames): EcsNames {
  return Object.fromEntries(Object.entries(names).map(([name, path]) => [name, `${owner}.${path}`]));
}
