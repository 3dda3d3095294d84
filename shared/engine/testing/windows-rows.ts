/** Records that satisfy a log source, as detection-engine 1.2.1 and 1.2.2 list them: the expectation, not the code. */
export interface WindowsRow {
  readonly channel: string;
  readonly provider?: string;
  /** Event ids of a category; services take any. */
  readonly ids?: readonly number[];
  /** Data that the row asks for besides. */
  readonly data?: Readonly<Record<string, string>>;
}

const sysmon = (...ids: number[]): WindowsRow => ({
  channel: 'Microsoft-Windows-Sysmon/Operational',
  provider: 'Microsoft-Windows-Sysmon',
  ids,
});
const security = (id: number, data?: Record<string, string>): WindowsRow => ({
  channel: 'Security',
  provider: 'Microsoft-Windows-Security-Auditing',
  ids: [id],
  ...(data && { data }),
});
const powershell = (id: number): WindowsRow[] =>
  ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational'].map((channel) => ({ channel, ids: [id] }));
const classic = (id: number): WindowsRow[] => [{ channel: 'Windows PowerShell', provider: 'PowerShell', ids: [id] }];
const kernelFile: WindowsRow = { channel: 'Kernel-File', provider: 'Microsoft-Windows-Kernel-File', ids: [12, 30] };
const asked = (row: WindowsRow, data: Record<string, string>): WindowsRow => ({ ...row, data });

/** Rows of each category of product windows; the first is the native one. */
export const categoryRows: Readonly<Record<string, readonly WindowsRow[]>> = {
  process_creation: [sysmon(1), security(4688)],
  registry_set: [sysmon(13), security(4657, { OperationType: '%%1905' })],
  file_event: [sysmon(11)],
  ps_script: powershell(4104),
  image_load: [sysmon(7)],
  network_connection: [sysmon(3), security(5156)],
  registry_event: [sysmon(12, 13, 14), security(4657)],
  ps_module: powershell(4103),
  process_access: [sysmon(10)],
  dns_query: [sysmon(22)],
  pipe_created: [sysmon(17, 18)],
  create_remote_thread: [sysmon(8)],
  file_delete: [sysmon(23, 26)],
  file_access: [kernelFile],
  ps_classic_start: classic(400),
  driver_load: [sysmon(6)],
  registry_delete: [
    asked(sysmon(12), { EventType: 'DeleteValue' }),
    asked(sysmon(12), { EventType: 'DeleteKey' }),
    security(4657, { OperationType: '%%1906' }),
  ],
  create_stream_hash: [sysmon(15)],
  registry_add: [asked(sysmon(12), { EventType: 'CreateKey' }), security(4657, { OperationType: '%%1904' })],
  wmi_event: [sysmon(19, 20, 21)],
  file_change: [sysmon(2)],
  file_rename: [kernelFile],
  ps_classic_provider_start: classic(600),
  ps_classic_script: classic(800),
  process_tampering: [sysmon(25)],
  file_executable_detected: [sysmon(29)],
  raw_access_thread: [sysmon(9)],
  sysmon_error: [sysmon(255)],
  sysmon_status: [sysmon(4, 16)],
  process_termination: [sysmon(5), security(4689)],
  registry_rename: [sysmon(14)],
  clipboard_capture: [sysmon(24)],
  clipboard_change: [sysmon(24)],
  file_delete_detected: [sysmon(26)],
  file_block_executable: [sysmon(27)],
  file_block_shredding: [sysmon(28)],
};

/** Rows of categories that rules state without a product (1.2.4). */
export const anyProductRows: Readonly<Record<string, readonly WindowsRow[]>> = {
  antivirus: [
    {
      channel: 'Microsoft-Windows-Windows Defender/Operational',
      ids: [1006, 1007, 1008, 1009, 1010, 1011, 1012, 1017, 1018, 1019, 1115, 1116],
    },
  ],
  dns: [sysmon(22)],
};

/** Channels of each service of product windows. */
export const serviceChannels: Readonly<Record<string, readonly string[]>> = {
  security: ['Security'],
  system: ['System'],
  application: ['Application'],
  windefend: ['Microsoft-Windows-Windows Defender/Operational'],
  'appxdeployment-server': ['Microsoft-Windows-AppXDeploymentServer/Operational'],
  'codeintegrity-operational': ['Microsoft-Windows-CodeIntegrity/Operational'],
  'firewall-as': ['Microsoft-Windows-Windows Firewall With Advanced Security/Firewall'],
  'msexchange-management': ['MSExchange Management'],
  'bits-client': ['Microsoft-Windows-Bits-Client/Operational'],
  'dns-client': ['Microsoft-Windows-DNS Client Events/Operational', 'Microsoft-Windows-DNS-Client/Operational'],
  'iis-configuration': ['Microsoft-IIS-Configuration/Operational'],
  sysmon: ['Microsoft-Windows-Sysmon/Operational'],
  taskscheduler: ['Microsoft-Windows-TaskScheduler/Operational'],
  ntlm: ['Microsoft-Windows-NTLM/Operational'],
  powershell: ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational'],
  'powershell-classic': ['Windows PowerShell'],
  applocker: [
    'Microsoft-Windows-AppLocker/EXE and DLL',
    'Microsoft-Windows-AppLocker/MSI and Script',
    'Microsoft-Windows-AppLocker/Packaged app-Deployment',
    'Microsoft-Windows-AppLocker/Packaged app-Execution',
  ],
  'dns-server': ['DNS Server'],
  'dns-server-analytic': ['Microsoft-Windows-DNS-Server/Analytical', 'Microsoft-Windows-DNSServer/Analytical'],
  'dns-server-audit': ['Microsoft-Windows-DNS-Server/Audit', 'Microsoft-Windows-DNSServer/Audit'],
  'security-mitigations': [
    'Microsoft-Windows-Security-Mitigations/Kernel Mode',
    'Microsoft-Windows-Security-Mitigations/User Mode',
  ],
  wmi: ['Microsoft-Windows-WMI-Activity/Operational'],
  'appmodel-runtime': ['Microsoft-Windows-AppModel-Runtime/Admin'],
  'appxpackaging-om': ['Microsoft-Windows-AppxPackaging/Operational'],
  capi2: ['Microsoft-Windows-CAPI2/Operational'],
  'certificateservicesclient-lifecycle-system': [
    'Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational',
  ],
  'diagnosis-scripted': ['Microsoft-Windows-Diagnosis-Scripted/Operational'],
  'driver-framework': ['Microsoft-Windows-DriverFrameworks-UserMode/Operational'],
  ldap: ['Microsoft-Windows-LDAP-Client/Debug'],
  'lsa-server': ['Microsoft-Windows-LSA/Operational'],
  'microsoft-servicebus-client': [
    'Microsoft-ServiceBus-Client/Operational',
    'Microsoft-ServiceBus-Client/Admin',
    'Microsoft-ServiceBus-Client',
  ],
  'servicebus-client': ['Microsoft-ServiceBus-Client/Admin'],
  openssh: ['OpenSSH/Operational'],
  'printservice-admin': ['Microsoft-Windows-PrintService/Admin'],
  'printservice-operational': ['Microsoft-Windows-PrintService/Operational'],
  'shell-core': ['Microsoft-Windows-Shell-Core/Operational'],
  'smbclient-connectivity': ['Microsoft-Windows-SmbClient/Connectivity'],
  'smbclient-security': ['Microsoft-Windows-SmbClient/Security'],
  'smbserver-connectivity': ['Microsoft-Windows-SMBServer/Connectivity'],
  'terminalservices-localsessionmanager': ['Microsoft-Windows-TerminalServices-LocalSessionManager/Operational'],
  'application-experience': [
    'Microsoft-Windows-Application-Experience/Program-Telemetry',
    'Microsoft-Windows-Application-Experience/Program-Compatibility-Assistant',
  ],
  bitlocker: ['Microsoft-Windows-BitLocker/BitLocker Management'],
  dhcp: ['Microsoft-Windows-DHCP-Server/Operational'],
  'hyper-v-worker': ['Microsoft-Windows-Hyper-V-Worker', 'Microsoft-Windows-Hyper-V-Worker-Admin'],
  'kernel-event-tracing': ['Microsoft-Windows-Kernel-EventTracing', 'Microsoft-Windows-Kernel-EventTracing/Admin'],
  'kernel-shimengine': [
    'Microsoft-Windows-Kernel-ShimEngine/Operational',
    'Microsoft-Windows-Kernel-ShimEngine/Diagnostic',
  ],
  ntfs: ['Microsoft-Windows-Ntfs/Operational'],
  sense: ['Microsoft-Windows-SENSE/Operational'],
  vhdmp: ['Microsoft-Windows-VHDMP/Operational', 'Microsoft-Windows-VHDMP-Operational'],
};
