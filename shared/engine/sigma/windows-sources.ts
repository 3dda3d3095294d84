import type { RouteNames, SourceFacts } from '../events/route.ts';
import { anyOf, type Expression } from './expression.ts';
import type { MappingName, SourceRow } from './source-row.ts';

const sysmonChannel = 'microsoft-windows-sysmon/operational';
const sysmonProvider = 'microsoft-windows-sysmon';
const powershell = ['microsoft-windows-powershell/operational', 'powershellcore/operational'];
const defender = 'microsoft-windows-windows defender/operational';

function fieldIs(field: string, ...values: string[]): Expression {
  return anyOf(
    values.map((value) => ({ kind: 'test', field, test: { kind: 'pattern', pieces: [value], cased: false } }) as const),
  );
}

const created = fieldIs('EventType', 'CreateKey');
const deleted = fieldIs('EventType', 'DeleteKey', 'DeleteValue');

interface CategoryEvents {
  readonly ids: readonly number[];
  readonly when?: Expression;
}

/** Sysmon's categories (1.2.1). */
const sysmonCategories: Readonly<Record<string, CategoryEvents>> = {
  process_creation: { ids: [1] },
  file_change: { ids: [2] },
  network_connection: { ids: [3] },
  sysmon_status: { ids: [4, 16] },
  process_termination: { ids: [5] },
  driver_load: { ids: [6] },
  image_load: { ids: [7] },
  create_remote_thread: { ids: [8] },
  raw_access_thread: { ids: [9] },
  process_access: { ids: [10] },
  file_event: { ids: [11] },
  registry_event: { ids: [12, 13, 14] },
  registry_add: { ids: [12], when: created },
  registry_delete: { ids: [12], when: deleted },
  registry_set: { ids: [13] },
  registry_rename: { ids: [14] },
  create_stream_hash: { ids: [15] },
  pipe_created: { ids: [17, 18] },
  wmi_event: { ids: [19, 20, 21] },
  dns_query: { ids: [22] },
  file_delete: { ids: [23, 26] },
  clipboard_capture: { ids: [24] },
  clipboard_change: { ids: [24] },
  process_tampering: { ids: [25] },
  file_delete_detected: { ids: [26] },
  file_block_executable: { ids: [27] },
  file_block_shredding: { ids: [28] },
  file_executable_detected: { ids: [29] },
  sysmon_error: { ids: [255] },
};

interface ChannelCategory extends CategoryEvents {
  readonly category: string;
  readonly channels: readonly string[];
  readonly mapping?: MappingName;
}

/** Categories that other channels satisfy, most of them through a field mapping (1.2.1). */
const channelCategories: readonly ChannelCategory[] = [
  { category: 'process_creation', channels: ['security'], ids: [4688], mapping: 'M1-4688' },
  { category: 'process_termination', channels: ['security'], ids: [4689], mapping: 'M1-4689' },
  { category: 'registry_event', channels: ['security'], ids: [4657], mapping: 'M2' },
  {
    category: 'registry_add',
    channels: ['security'],
    ids: [4657],
    when: fieldIs('OperationType', '%%1904'),
    mapping: 'M2',
  },
  {
    category: 'registry_set',
    channels: ['security'],
    ids: [4657],
    when: fieldIs('OperationType', '%%1905'),
    mapping: 'M2',
  },
  {
    category: 'registry_delete',
    channels: ['security'],
    ids: [4657],
    when: fieldIs('OperationType', '%%1906'),
    mapping: 'M2',
  },
  { category: 'network_connection', channels: ['security'], ids: [5156], mapping: 'M3' },
  { category: 'ps_script', channels: powershell, ids: [4104] },
  { category: 'ps_module', channels: powershell, ids: [4103] },
  { category: 'ps_classic_start', channels: ['windows powershell'], ids: [400] },
  { category: 'ps_classic_provider_start', channels: ['windows powershell'], ids: [600] },
  { category: 'ps_classic_script', channels: ['windows powershell'], ids: [800] },
  {
    category: 'antivirus',
    channels: [defender],
    ids: [1006, 1007, 1008, 1009, 1010, 1011, 1012, 1017, 1018, 1019, 1115, 1116],
    mapping: 'M4',
  },
];

/** Channels of each service, lower-case (1.2.2). */
const services: Readonly<Record<string, readonly string[]>> = {
  security: ['security'],
  system: ['system'],
  application: ['application'],
  windefend: [defender],
  'appxdeployment-server': ['microsoft-windows-appxdeploymentserver/operational'],
  'codeintegrity-operational': ['microsoft-windows-codeintegrity/operational'],
  'firewall-as': ['microsoft-windows-windows firewall with advanced security/firewall'],
  'msexchange-management': ['msexchange management'],
  'bits-client': ['microsoft-windows-bits-client/operational'],
  'dns-client': ['microsoft-windows-dns client events/operational', 'microsoft-windows-dns-client/operational'],
  'iis-configuration': ['microsoft-iis-configuration/operational'],
  sysmon: [sysmonChannel],
  taskscheduler: ['microsoft-windows-taskscheduler/operational'],
  ntlm: ['microsoft-windows-ntlm/operational'],
  powershell,
  'powershell-classic': ['windows powershell'],
  applocker: ['exe and dll', 'msi and script', 'packaged app-deployment', 'packaged app-execution'].map(
    (log) => `microsoft-windows-applocker/${log}`,
  ),
  'dns-server': ['dns server'],
  'dns-server-analytic': ['microsoft-windows-dns-server/analytical', 'microsoft-windows-dnsserver/analytical'],
  'dns-server-audit': ['microsoft-windows-dns-server/audit', 'microsoft-windows-dnsserver/audit'],
  'security-mitigations': ['kernel mode', 'user mode'].map((log) => `microsoft-windows-security-mitigations/${log}`),
  wmi: ['microsoft-windows-wmi-activity/operational'],
  'appmodel-runtime': ['microsoft-windows-appmodel-runtime/admin'],
  'appxpackaging-om': ['microsoft-windows-appxpackaging/operational'],
  capi2: ['microsoft-windows-capi2/operational'],
  'certificateservicesclient-lifecycle-system': [
    'microsoft-windows-certificateservicesclient-lifecycle-system/operational',
  ],
  'diagnosis-scripted': ['microsoft-windows-diagnosis-scripted/operational'],
  'driver-framework': ['microsoft-windows-driverframeworks-usermode/operational'],
  ldap: ['microsoft-windows-ldap-client/debug'],
  'lsa-server': ['microsoft-windows-lsa/operational'],
  'microsoft-servicebus-client': [
    'microsoft-servicebus-client/operational',
    'microsoft-servicebus-client/admin',
    'microsoft-servicebus-client',
  ],
  'servicebus-client': [
    'microsoft-servicebus-client/operational',
    'microsoft-servicebus-client/admin',
    'microsoft-servicebus-client',
  ],
  openssh: ['openssh/operational'],
  'printservice-admin': ['microsoft-windows-printservice/admin'],
  'printservice-operational': ['microsoft-windows-printservice/operational'],
  'shell-core': ['microsoft-windows-shell-core/operational'],
  'smbclient-connectivity': ['microsoft-windows-smbclient/connectivity'],
  'smbclient-security': ['microsoft-windows-smbclient/security'],
  'smbserver-connectivity': ['microsoft-windows-smbserver/connectivity'],
  'terminalservices-localsessionmanager': ['microsoft-windows-terminalservices-localsessionmanager/operational'],
  'application-experience': ['program-telemetry', 'program-compatibility-assistant'].map(
    (log) => `microsoft-windows-application-experience/${log}`,
  ),
  bitlocker: ['microsoft-windows-bitlocker/bitlocker management'],
  dhcp: ['microsoft-windows-dhcp-server/operational'],
  'hyper-v-worker': ['microsoft-windows-hyper-v-worker', 'microsoft-windows-hyper-v-worker-admin'],
  'kernel-event-tracing': ['microsoft-windows-kernel-eventtracing', 'microsoft-windows-kernel-eventtracing/admin'],
  'kernel-shimengine': ['operational', 'diagnostic'].map((log) => `microsoft-windows-kernel-shimengine/${log}`),
  ntfs: ['microsoft-windows-ntfs/operational'],
  sense: ['microsoft-windows-sense/operational'],
  vhdmp: ['microsoft-windows-vhdmp/operational', 'microsoft-windows-vhdmp-operational'],
};

const servicesOf = new Map<string, string[]>();
for (const [service, channels] of Object.entries(services)) {
  for (const channel of channels) servicesOf.set(channel, [...(servicesOf.get(channel) ?? []), service]);
}

const rpcFirewall: readonly SourceFacts[] = [
  { product: 'rpc_firewall' },
  { product: 'rpc_firewall', category: 'application' },
];
const kernelFile = 'microsoft-windows-kernel-file';
const kernelFileCategories = ['file_access', 'file_rename'];

/** Whether records are Sysmon's: forwarded ones keep the provider and change the channel. */
export function isSysmon({ channel, provider }: RouteNames): boolean {
  return channel.toLowerCase() === sysmonChannel || provider.toLowerCase() === sysmonProvider;
}

/** All rows that records of a Windows route satisfy (1.2.1, 1.2.2). */
export function windowsRows(route: RouteNames): SourceRow[] {
  const channel = route.channel.toLowerCase();
  const provider = route.provider.toLowerCase();
  const eventId = Number(route.eventId);
  const product = 'windows';
  const named = new Set(servicesOf.get(channel) ?? []);
  if (isSysmon(route)) named.add('sysmon');
  const rows: SourceRow[] = [{ facts: { product } }];
  for (const service of named) rows.push({ facts: { product, service } });
  const category = (name: string, events: { when?: Expression; mapping?: MappingName }, service?: string): void => {
    rows.push({
      facts: service === undefined ? { product, category: name } : { product, category: name, service },
      ...(events.when && { when: events.when }),
      ...(events.mapping && { mapping: events.mapping }),
    });
  };
  if (isSysmon(route)) {
    for (const [name, events] of Object.entries(sysmonCategories)) {
      if (events.ids.includes(eventId)) category(name, events, 'sysmon');
    }
    if (eventId === 22) category('dns', { mapping: 'dns' });
  }
  for (const { category: name, channels, ids, ...events } of channelCategories) {
    if (channels.includes(channel) && ids.includes(eventId)) category(name, events, [...named][0]);
  }
  if (provider === kernelFile) for (const name of kernelFileCategories) category(name, {});
  if (channel === 'application' && provider === 'rpcfw') {
    for (const facts of rpcFirewall) rows.push({ facts });
  }
  return rows;
}

/** Every fact that Windows input can satisfy. */
export const windowsFacts: readonly SourceFacts[] = [
  { product: 'windows' },
  ...rpcFirewall,
  ...Object.keys(services).map((service) => ({ product: 'windows', service })),
  ...[...Object.keys(sysmonCategories), 'dns', ...kernelFileCategories].map((category) => ({
    product: 'windows',
    category,
    service: 'sysmon',
  })),
  ...channelCategories.map(({ category, channels }) => ({
    product: 'windows',
    category,
    service: servicesOf.get(channels[0]!)![0]!,
  })),
];
