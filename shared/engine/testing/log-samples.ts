/** A log that satisfies a row of detection-engine 1.2.4, made up: the expectation, not the code. */
export interface LogSample {
  readonly product?: string;
  readonly category?: string;
  readonly service?: string;
  readonly log: string;
}

const json = (record: object): string => JSON.stringify(record);
const syslog = (program: string, message: string): string => `Mar  4 08:15:00 host ${program}[7]: ${message}\n`;
const audit = (...records: readonly string[]): string =>
  records.map((record) => record.replace(' ', ' msg=audit(1772612100.123:42): ')).join('\n');
const cisco = (text: string): string => `<189>Mar  4 08:15:00 router 12: *Mar  4 08:15:00.123: ${text}\n`;
const zeek = (path: string, record: object): string => json({ _path: path, ts: 1772612100.5, uid: 'CH1', ...record });
const entra = (category: string, operationName: string): string =>
  json({ time: '2026-03-04T08:15:00Z', category, operationName, properties: { result: 'success' } });
const unified = (record: object): string =>
  json({ CreationTime: '2026-03-04T08:15:00', UserId: 'a@b.example', ...record });
const execve = audit(
  'type=SYSCALL arch=c000003e syscall=59 success=yes ppid=1 pid=2 auid=1000 exe="/usr/bin/id"',
  'type=EXECVE argc=2 a0="id" a1="-u"',
  'type=PROCTITLE proctitle="id"',
);
const access = '192.0.2.1 - - [04/Mar/2026:08:15:00 +0000] "GET /a?b=c HTTP/1.1" 200 12 "-" "curl/8"\n';
const squid = '1772612100.779 180 192.0.2.1 TCP_MISS/200 411 GET http://h.example/x - DIRECT/- text/html\n';
const globalProtect =
  '<14>Mar  4 08:15:00 fw 1,2026/03/04 08:15:00,0123456789,GLOBALPROTECT,0,2562,2026/03/04 08:15:00,vsys1,' +
  'gateway-auth,login,Other,,alice,DE,pc,192.0.2.1,0.0.0.0,198.51.100.1,0.0.0.0,,,,Windows,"10",1,,,"",success,,0,,0,gp,1,0x0\n';
const fortinet = (more: string): string =>
  `date=2026-03-04 time=08:15:00 devname="f" devid="FG1" logid="0100044547" type="event" ${more}\n`;

/** One log for each row with rules. */
export const logSamples: readonly LogSample[] = [
  { product: 'linux', category: 'process_creation', log: execve },
  { product: 'linux', service: 'auditd', log: execve },
  {
    product: 'linux',
    category: 'file_event',
    log: audit(
      'type=SYSCALL arch=c000003e syscall=257 success=yes pid=2 exe="/bin/touch"',
      'type=CWD cwd="/tmp"',
      'type=PATH item=1 name="x" nametype=CREATE',
    ),
  },
  { product: 'linux', log: syslog('kernel', 'anything') },
  {
    product: 'linux',
    category: 'network_connection',
    log: audit(
      'type=SYSCALL arch=c000003e syscall=42 success=yes pid=2 exe="/usr/bin/curl"',
      'type=SOCKADDR saddr=02000050C00002010000000000000000',
    ),
  },
  { product: 'linux', service: 'sshd', log: syslog('sshd', 'Accepted publickey for root') },
  { product: 'linux', service: 'syslog', log: syslog('anything', 'a message') },
  { product: 'linux', service: 'auth', log: syslog('su', 'session opened') },
  { product: 'linux', service: 'sudo', log: syslog('sudo', 'a : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/id') },
  { product: 'linux', service: 'cron', log: syslog('CRON', '(root) CMD (id)') },
  { product: 'linux', service: 'clamav', log: syslog('clamd', '/x: Eicar FOUND') },
  {
    product: 'linux',
    service: 'vsftpd',
    log: 'Wed Mar  4 08:15:00 2026 [pid 7] CONNECT: Client "192.0.2.1"\n'.repeat(2),
  },
  { product: 'linux', service: 'guacamole', log: syslog('guacd', 'Terminating connection') },
  {
    product: 'macos',
    category: 'process_creation',
    log: json({ host: { os: { type: 'macos' } }, process: { executable: '/bin/dd', command_line: 'dd' } }),
  },
  { product: 'macos', category: 'file_event', log: json({ platform: 'darwin', TargetFilename: '/etc/x' }) },
  { category: 'webserver', log: access },
  { category: 'proxy', log: squid },
  { category: 'dns', log: zeek('dns', { query: 'h.example' }) },
  {
    category: 'antivirus',
    log: json({ timestamp: '2026-03-04T08:15:00Z', Signature: 'Eicar', Filename: 'C:\\x', Action: 'none' }),
  },
  {
    category: 'firewall',
    log: 'CEF:0|v|p|1|2|n|3|src=192.0.2.1 dst=192.0.2.2 dpt=23 act=accept rt=1772612100000\n',
  },
  { category: 'database', log: syslog('postgres', 'ERROR: syntax error') },
  {
    service: 'apache',
    log: '[Wed Mar 04 08:15:00.123456 2026] [core:error] [pid 7:tid 8] [client 192.0.2.1:1] x\n',
  },
  { service: 'nginx', log: '2026/03/04 08:15:00 [crit] 7#7: *1 connect() failed, client: 192.0.2.1\n' },
  {
    service: 'netflow',
    log: json({ ts: '2026-03-04T08:15:00Z', netflow: { version: 9, ipv4_src_addr: '192.0.2.1', l4_dst_port: 23 } }),
  },
  {
    product: 'aws',
    service: 'cloudtrail',
    log: json({ eventSource: 's3.amazonaws.com', eventName: 'ListBuckets', awsRegion: 'eu-central-1' }),
  },
  { product: 'azure', service: 'auditlogs', log: entra('AuditLogs', 'Add user') },
  {
    product: 'azure',
    service: 'activitylogs',
    log: json({
      time: '2026-03-04T08:15:00Z',
      resourceId: '/SUBSCRIPTIONS/1',
      operationName: 'MICROSOFT.X/WRITE',
      category: 'Administrative',
    }),
  },
  { product: 'azure', service: 'signinlogs', log: entra('SignInLogs', 'Sign-in activity') },
  { product: 'azure', service: 'riskdetection', log: json({ id: '1', riskEventType: 'anonymizedIPAddress' }) },
  { product: 'azure', service: 'pim', log: json({ id: '1', riskEventType: 'rolesAssignedOutsidePim' }) },
  {
    product: 'okta',
    service: 'okta',
    log: json({ published: '2026-03-04T08:15:00Z', actor: {}, outcome: {}, eventType: 'user.session.start' }),
  },
  {
    product: 'm365',
    service: 'threat_management',
    log: json({ eventSource: 'SecurityComplianceCenter', eventName: 'x', status: 'success' }),
  },
  {
    product: 'm365',
    service: 'audit',
    log: unified({ Workload: 'AzureActiveDirectory', Operation: 'UserLoggedIn' }),
  },
  { product: 'm365', service: 'exchange', log: unified({ Workload: 'Exchange', Operation: 'New-TransportRule' }) },
  {
    product: 'm365',
    service: 'threat_detection',
    log: json({ eventSource: 'SecurityComplianceCenter', eventName: 'x', status: 'success' }),
  },
  {
    product: 'gcp',
    service: 'gcp.audit',
    log: json({ timestamp: '2026-03-04T08:15:00Z', protoPayload: { methodName: 'x.y' } }),
  },
  ...(['google_workspace.admin', 'google_workspace.login'] as const).map((service) => ({
    product: 'gcp',
    service,
    log: json({
      kind: 'admin#reports#activity',
      id: { time: '2026-03-04T08:15:00Z', applicationName: service.split('.')[1] },
      actor: { email: 'a@b.example' },
      events: [{ type: 't', name: 'n' }],
    }),
  })),
  { product: 'github', service: 'audit', log: json({ action: 'repo.destroy', actor: 'a', org: 'o' }) },
  {
    product: 'bitbucket',
    service: 'audit',
    log: json({ timestamp: 1772612100, auditType: { category: 'Global', action: 'x' } }),
  },
  ...([{ category: 'application' }, {}] as const).map((more) => ({
    product: 'kubernetes',
    service: 'audit',
    ...more,
    log: json({ verb: 'create', objectRef: { resource: 'pods' }, stageTimestamp: '2026-03-04T08:15:00Z' }),
  })),
  { product: 'onelogin', service: 'onelogin.events', log: json({ event_type_id: 3, created_at: '2026-03-04' }) },
  { product: 'opencanary', category: 'application', log: json({ logtype: 4002, node_id: 'n' }) },
  {
    product: 'rpc_firewall',
    category: 'application',
    log: json({ Channel: 'Application', Provider_Name: 'RPCFW', EventID: 3, Computer: 'PC' }),
  },
  { product: 'cisco', service: 'aaa', log: cisco('%PARSER-5-CFGLOG_LOGGEDCMD: User:a  logged command:dir') },
  { product: 'cisco', service: 'bgp', log: cisco('%TCP-6-BADAUTH: No MD5 digest from 192.0.2.1(179)') },
  { product: 'cisco', service: 'ldp', log: cisco('%LDP-5-NBRCHG: LDP Neighbor 192.0.2.1:0 is DOWN') },
  { product: 'cisco', service: 'duo', log: json({ event_type: 'authentication', reason: 'x', txid: 't' }) },
  { product: 'cisco', service: 'syslog', log: cisco('%SYS-5-CONFIG_I: Configured from console') },
  { product: 'fortigate', service: 'event', log: fortinet('subtype="system" action="Add"') },
  { product: 'fortios', service: 'sslvpnd', log: fortinet('subtype="vpn" action="tunnel-up"') },
  {
    product: 'huawei',
    service: 'bgp',
    log: '<189>Mar  4 2026 08:15:00 ne40 %%01BGP/3/STATE_CHG_UPDOWN(l)[1]:The status changed.\n',
  },
  { product: 'juniper', service: 'bgp', log: syslog('rpd', 'bgp_read_v4_message: NOTIFICATION received') },
  { product: 'paloalto', category: 'appliance', service: 'globalprotect', log: globalProtect },
  { product: 'paloalto', category: 'file_event', service: 'globalprotect', log: globalProtect },
  { product: 'qualys', log: json({ 'host.name': 'h', 'host.scan.vuln': 11507 }) },
  ...['smb_files', 'dns', 'http', 'dce_rpc', 'kerberos', 'rdp', 'x509'].map((service) => ({
    product: 'zeek',
    service,
    log: zeek(service, { 'id.orig_h': '192.0.2.1' }),
  })),
  ...['jvm', 'spring', 'velocity'].map((product) => ({
    product,
    category: 'application',
    log: syslog('java', 'java.lang.IllegalStateException: x'),
  })),
  ...['python', 'django', 'sql'].map((product) => ({
    product,
    category: 'application',
    log: syslog('gunicorn', 'Traceback (most recent call last): x'),
  })),
  { product: 'nodejs', category: 'application', log: syslog('node', 'Error: spawn x ENOENT') },
  { product: 'ruby_on_rails', category: 'application', log: syslog('puma', 'ActionController::BadRequest') },
];
