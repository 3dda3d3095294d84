import type { SourceFacts } from '../events/route.ts';

/**
 * What records of cloud, web, network and application logs satisfy (detection-engine 1.2.4), by the
 * kind of record. A reader gives its records one of these as their route.
 */
export const inputSources = {
  cloudtrail: [{ product: 'aws', service: 'cloudtrail' }],
  azureActivity: [{ product: 'azure', service: 'activitylogs' }],
  azureAudit: [{ product: 'azure', service: 'auditlogs' }],
  azureSignIn: [{ product: 'azure', service: 'signinlogs' }],
  azureRisk: [
    { product: 'azure', service: 'riskdetection' },
    { product: 'azure', service: 'pim' },
  ],
  azure: [{ product: 'azure' }],
  gcp: [{ product: 'gcp', service: 'gcp.audit' }],
  workspace: [
    { product: 'gcp', service: 'google_workspace.admin' },
    { product: 'gcp', service: 'google_workspace.login' },
    { product: 'gcp', service: 'gcp.audit' },
  ],
  m365: [{ product: 'm365', service: 'audit' }],
  m365Exchange: [
    { product: 'm365', service: 'audit' },
    { product: 'm365', service: 'exchange' },
  ],
  m365Threats: [
    { product: 'm365', service: 'threat_management' },
    { product: 'm365', service: 'threat_detection' },
    { product: 'm365', service: 'exchange' },
    { product: 'm365', service: 'audit' },
  ],
  windows: [{ product: 'windows' }],
  linux: [{ product: 'linux' }],
  macos: [{ product: 'macos' }],
  defenderProcess: [{ product: 'windows' }, { product: 'windows', category: 'process_creation' }],
  defenderNetwork: [{ product: 'windows' }, { product: 'windows', category: 'network_connection' }],
  defenderFileCreated: [{ product: 'windows' }, { product: 'windows', category: 'file_event' }],
  defenderFileModified: [{ product: 'windows' }, { product: 'windows', category: 'file_change' }],
  defenderFileDeleted: [{ product: 'windows' }, { product: 'windows', category: 'file_delete' }],
  defenderFileRenamed: [{ product: 'windows' }, { product: 'windows', category: 'file_rename' }],
  defenderRegistryAdded: [
    { product: 'windows' },
    { product: 'windows', category: 'registry_event' },
    { product: 'windows', category: 'registry_add' },
  ],
  defenderRegistrySet: [
    { product: 'windows' },
    { product: 'windows', category: 'registry_event' },
    { product: 'windows', category: 'registry_set' },
  ],
  defenderRegistryDeleted: [
    { product: 'windows' },
    { product: 'windows', category: 'registry_event' },
    { product: 'windows', category: 'registry_delete' },
  ],
  defenderRegistryRenamed: [
    { product: 'windows' },
    { product: 'windows', category: 'registry_event' },
    { product: 'windows', category: 'registry_rename' },
  ],
  defenderImageLoad: [{ product: 'windows' }, { product: 'windows', category: 'image_load' }],
  defenderDriver: [{ product: 'windows' }, { product: 'windows', category: 'driver_load' }],
  defenderPipe: [{ product: 'windows' }, { product: 'windows', category: 'pipe_created' }],
  defenderRemoteThread: [{ product: 'windows' }, { product: 'windows', category: 'create_remote_thread' }],
  defenderProcessAccess: [{ product: 'windows' }, { product: 'windows', category: 'process_access' }],
  defenderDns: [{ product: 'windows' }, { product: 'windows', category: 'dns_query' }],
  defenderOther: [{ product: 'm365' }],
  linuxProcess: [{ product: 'linux' }, { product: 'linux', category: 'process_creation' }],
  linuxNetwork: [{ product: 'linux' }, { product: 'linux', category: 'network_connection' }],
  linuxFile: [{ product: 'linux' }, { product: 'linux', category: 'file_event' }],
  linuxFileDeleted: [{ product: 'linux' }, { product: 'linux', category: 'file_delete' }],
  okta: [{ product: 'okta', service: 'okta' }],
  onelogin: [{ product: 'onelogin', service: 'onelogin.events' }],
  duo: [{ product: 'cisco', service: 'duo' }],
  github: [{ product: 'github', service: 'audit' }],
  bitbucket: [{ product: 'bitbucket', service: 'audit' }],
  kubernetes: [
    { product: 'kubernetes', service: 'audit' },
    { product: 'kubernetes', category: 'application', service: 'audit' },
  ],
  opencanary: [{ product: 'opencanary' }, { product: 'opencanary', category: 'application' }],
  qualys: [{ product: 'qualys' }],
  netflow: [{ service: 'netflow' }],
  antivirus: [{ category: 'antivirus' }],
  macosProcess: [{ product: 'macos' }, { product: 'macos', category: 'process_creation' }],
  macosFile: [{ product: 'macos' }, { product: 'macos', category: 'file_event' }],
  dns: [{ category: 'dns' }],
  webserver: [{ category: 'webserver' }],
  proxy: [{ category: 'proxy' }],
  webOrProxy: [{ category: 'webserver' }, { category: 'proxy' }],
  apacheError: [{ service: 'apache' }, { category: 'webserver', service: 'apache' }],
  nginxError: [{ service: 'nginx' }, { category: 'webserver', service: 'nginx' }],
  vsftpd: [{ product: 'linux' }, { product: 'linux', service: 'vsftpd' }],
  firewall: [{ category: 'firewall' }],
  fortigate: [
    { product: 'fortigate', service: 'event' },
    { product: 'fortios', service: 'sslvpnd' },
    { category: 'firewall' },
  ],
  cisco: [
    { product: 'cisco', service: 'aaa' },
    { product: 'cisco', service: 'syslog' },
    { product: 'cisco', service: 'bgp' },
    { product: 'cisco', service: 'ldp' },
  ],
  globalprotect: [
    { product: 'paloalto', service: 'globalprotect' },
    { product: 'paloalto', category: 'appliance', service: 'globalprotect' },
    { product: 'paloalto', category: 'file_event', service: 'globalprotect' },
    { category: 'firewall' },
  ],
  zeek: [{ product: 'zeek' }],
  zeekDns: [{ product: 'zeek', service: 'dns' }, { category: 'dns' }],
  zeekHttp: [{ product: 'zeek', service: 'http' }, { category: 'proxy' }],
  zeekConn: [{ product: 'zeek', service: 'conn' }, { category: 'firewall' }],
  zeekSmbFiles: [{ product: 'zeek', service: 'smb_files' }],
  zeekDceRpc: [{ product: 'zeek', service: 'dce_rpc' }],
  zeekKerberos: [{ product: 'zeek', service: 'kerberos' }],
  zeekRdp: [{ product: 'zeek', service: 'rdp' }],
  zeekX509: [{ product: 'zeek', service: 'x509' }],
  unlabelled: [],
} satisfies Readonly<Record<string, readonly SourceFacts[]>>;

export type InputSource = keyof typeof inputSources;

/** Every fact that one of these inputs can satisfy. */
export const inputFacts: readonly SourceFacts[] = Object.values<readonly SourceFacts[]>(inputSources).flat();
