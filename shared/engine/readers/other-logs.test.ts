import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { analyze } from '../analyze.ts';
import type { Analysis } from '../findings.ts';
import { readRuleFiles } from '../node.ts';
import { type LoadedRules, loadRules } from '../sigma/load-rules.ts';
import { rowsFor, rowsOf } from '../sigma/source-rows.ts';
import { readAll, sourceOf } from '../testing/index.ts';
import { detectLogType } from './detect-log-type.ts';
import { readerFor } from './readers.ts';

/** Records of the shared logs; headers, directives and blank lines are none. */
const logs: Record<string, { records: number; malformed?: number; product?: string; category?: string }> = {
  'cloudtrail/invictus-records-1.json': { records: 17, product: 'aws' },
  'cloudtrail/invictus-records-2.json': { records: 26, product: 'aws' },
  'cloudtrail/otrf-ec2-proxy-s3.ndjson': { records: 103, product: 'aws' },
  'cloudtrail/plaso-cloudtrail.jsonl': { records: 6, product: 'aws' },
  'azure/plaso-azure-activity.jsonl': { records: 4, product: 'azure' },
  'azure/plaso-app-gateway-access.json': { records: 2, category: 'webserver' },
  'gcp/plaso-gcp-audit.jsonl': { records: 11, product: 'gcp' },
  'm365/plaso-microsoft-audit.jsonl': { records: 4, product: 'm365' },
  'web-access/plaso-apache-access.log': { records: 15, category: 'webserver' },
  'web-access/elastic-apache-combined-2k.log': { records: 2000, category: 'webserver' },
  'web-access/debian9-nginx-access.log': { records: 19, category: 'webserver' },
  'web-access/apache-program-access.log': { records: 1, category: 'webserver' },
  'web-error/loghub-apache-error-2k.log': { records: 2000 },
  'iis-w3c/plaso-iis10.log': { records: 1, category: 'webserver' },
  'iis-w3c/plaso-iis10_cookies.log': { records: 3, category: 'webserver' },
  'iis-w3c/plaso-iis10_edge_cases.log': { records: 15, category: 'webserver' },
  'iis-w3c/plaso-iis6.log': { records: 12, category: 'webserver' },
  'iis-w3c/plaso-iis_without_date.log': { records: 11, category: 'webserver' },
  'zeek-tsv/dns.log': { records: 492, product: 'zeek' },
  'zeek-tsv/kerberos.log': { records: 11, product: 'zeek' },
  'zeek-tsv/dce_rpc.log': { records: 78, product: 'zeek' },
  'zeek-tsv/software.log': { records: 376, product: 'zeek' },
  'zeek-json/dns.json': { records: 500, product: 'zeek' },
  'zeek-json/kerberos.json': { records: 11, product: 'zeek' },
  'zeek-json/smb_mapping.json': { records: 393, product: 'zeek' },
  'zeek-json/otrf-apt29-scranton-http.log': { records: 62, product: 'zeek' },
  'zeek-json/otrf-apt29-combined-head.log': { records: 400, product: 'zeek' },
  'network/cisco-aaa.log': { records: 1, product: 'cisco' },
  'network/windows-firewall.log': { records: 15, category: 'firewall' },
  // The last two lines are of a network load balancer, which knows no requests.
  'network/aws-elb-access.log': { records: 14, malformed: 2, category: 'webserver' },
  'windows-csv/derived-flat-sysmon.csv': { records: 38, product: 'windows' },
  'windows-csv/derived-evtxecmd-shape.csv': { records: 38, product: 'windows' },
  'application/vsftpd.log': { records: 25, product: 'linux' },
};
/** Zeek logs that no rule asks for. */
const unasked = new Set(['zeek-tsv/software.log', 'zeek-json/smb_mapping.json']);
const aws = (source: string, name: string, more: object = {}): string =>
  JSON.stringify({
    Records: [{ eventSource: `${source}.amazonaws.com`, eventName: name, awsRegion: 'eu-central-1', ...more }],
  });
const get = (target: string, agent = 'Mozilla/5.0'): string =>
  `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET ${target} HTTP/1.1" 200 12 "-" "${agent}"`;
const squid = (address: string): string =>
  `1286536308.779 180 192.0.2.1 TCP_MISS/200 411 GET ${address} - DIRECT/- text/html`;
/** A row of a table of Log Analytics. */
const row = (table: string, columns: object): string =>
  JSON.stringify({ TenantId: 't', TimeGenerated: '2026-03-04T08:15:00Z', Type: table, ...columns });
/** A row of advanced hunting. */
const hunted = (action: string, columns: object): string =>
  JSON.stringify({
    Timestamp: '2026-03-04T08:15:00Z',
    DeviceId: 'd',
    DeviceName: 'pc',
    ActionType: action,
    ...columns,
  });
const entra = (category: string, operationName: string, properties: object): string =>
  JSON.stringify({ time: '2026-03-04T08:15:00Z', category, operationName, properties });

/** Titles of rules of SigmaHQ, each with a log that it is meant for. */
const cases: [string, string][] = [
  ['AWS CloudTrail Important Change', aws('cloudtrail', 'StopLogging')],
  ['AWS EC2 Disable EBS Encryption', aws('ec2', 'DisableEbsEncryptionByDefault')],
  ['AWS GuardDuty Important Change', aws('guardduty', 'CreateIPSet')],
  ['AWS Root Credentials', aws('s3', 'ListBuckets', { userIdentity: { type: 'Root' } })],
  ['AWS IAM Backdoor Users Keys', aws('iam', 'CreateAccessKey', { userIdentity: { arn: 'arn:aws:iam::1:user/a' } })],
  ['Potential Bucket Enumeration on AWS', aws('s3', 'ListBuckets', { userIdentity: { type: 'IAMUser' } })],
  ['Anomalous Token', JSON.stringify({ id: '1', riskEventType: 'anomalousToken' })],
  [
    "User Added to an Administrator's Azure AD Role",
    entra('AuditLogs', 'Add member to role', { targetResources: [{ displayName: 'Global Administrator' }] }),
  ],
  ['Account Created And Deleted Within A Close Time Frame', entra('AuditLogs', 'Add user', { result: 'success' })],
  [
    'Device Registration or Join Without MFA',
    entra('SignInLogs', 'Sign-in activity', {
      resourceDisplayName: 'Device Registration Service',
      conditionalAccessStatus: 'success',
    }),
  ],
  [
    'Activity from Anonymous IP Addresses',
    JSON.stringify({
      eventSource: 'SecurityComplianceCenter',
      eventName: 'Activity from anonymous IP addresses',
      status: 'success',
    }),
  ],
  [
    'Azure Login Bypassing Conditional Access Policies',
    JSON.stringify({
      Workload: 'AzureActiveDirectory',
      Operation: 'UserLoggedIn',
      ApplicationId: '9ba1a5c7-f17a-4de9-a1f1-6178c8d51223',
      ResultStatus: 'Success',
      RequestType: 'Cmsi:Cmsi',
    }),
  ],
  [
    'GCP Break-glass Container Workload Deployed',
    JSON.stringify({
      logName: 'cloudaudit.googleapis.com%2Factivity',
      resource: { type: 'k8s_cluster' },
      protoPayload: {
        methodName: 'io.k8s.core.v1.pods.create',
        request: { 'image-policy.k8s.io/break-glass': 'true', note: 'image-policy.k8s.io/break-glass' },
      },
    }),
  ],
  [
    'Okta Admin Functions Access Through Proxy',
    JSON.stringify([
      {
        actor: {},
        outcome: {},
        eventType: 'x',
        securityContext: { isProxy: true },
        debugContext: { debugData: { requestUri: '/admin/x' } },
      },
    ]),
  ],
  [
    'Github Delete Action Invoked',
    JSON.stringify({ action: 'repo.destroy', actor: 'a', org: 'o', '@timestamp': 1606929874512 }),
  ],
  [
    'Bitbucket Full Data Export Triggered',
    JSON.stringify({ auditType: { category: 'Data pipeline', action: 'Full data export triggered' } }),
  ],
  [
    'Kubernetes CronJob/Job Modification',
    JSON.stringify({
      kind: 'EventList',
      metadata: {},
      items: [{ verb: 'create', objectRef: { apiGroup: 'batch', resource: 'jobs' } }],
    }),
  ],
  [
    'Potential Remote Command Execution In Pod Container',
    JSON.stringify({ verb: 'create', objectRef: { resource: 'pods', subresource: 'exec' } }),
  ],
  [
    'OpenCanary - SSH Login Attempt',
    JSON.stringify({ logtype: 4002, node_id: 'n', utc_time: '2026-03-04 08:15:00.123' }),
  ],
  ['OneLogin User Assumed Another User', JSON.stringify({ event_type_id: 3 })],
  [
    'Cisco Duo Successful MFA Authentication Via Bypass Code',
    JSON.stringify({ event_type: 'authentication', reason: 'bypass_user', txid: 't' }),
  ],
  [
    'Binary Padding - MacOS',
    JSON.stringify({
      host: { os: { type: 'macos' } },
      process: { executable: '/bin/dd', command_line: 'dd if=/dev/zero of=x' },
    }),
  ],
  ['MacOS Emond Launch Daemon', JSON.stringify({ platform: 'darwin', TargetFilename: '/etc/emond.d/rules/x.plist' })],
  ['SQL Injection Strings In URI', get('/a?id=1%20UNION%20SELECT%202')],
  ['SQL Injection Strings In URI', get('/a?id=1%27%20UNION%2520SELECT')],
  ['Path Traversal Exploitation Attempts', get('/a?f=..%2f..%2f../etc/passwd')],
  [
    'Potential Hello-World Scraper Botnet Activity',
    '#Software: SGOS\n#Fields: date time c-ip cs-method cs-uri-scheme cs-host cs-uri-path cs(User-Agent)\n2026-03-04 08:15:00 192.0.2.1 GET http h.example /x Hello-World/1.0',
  ],
  ['Raw Paste Service Access', squid('https://www.pastebin.com/raw/abc')],
  ['Cleartext Protocol Usage', 'CEF:0|v|p|1|2|n|3|src=192.0.2.1 dst=192.0.2.2 dpt=23 act=accept'],
  [
    'FortiGate - New Administrator Account Created',
    'date=2026-03-04 time=08:15:00 devname="f" logid="0100044547" type="event" cfgpath="system.admin" action="Add"',
  ],
  [
    'Monero Crypto Coin Mining Pool Lookup',
    JSON.stringify({ _path: 'dns', ts: 1, uid: 'C', query: 'pool.minexmr.com' }),
  ],
  [
    'CA Policy Removed by Non Approved Actor',
    row('AuditLogs', {
      OperationName: 'Delete conditional access policy',
      Category: 'Policy',
      TargetResources: '[{}]',
    }),
  ],
  ['Account Lockout', row('SigninLogs', { Category: 'SignInLogs', OperationName: 'Sign-in', ResultType: '50053' })],
  [
    'Azure Kubernetes Events Deleted',
    row('AzureActivity', { OperationNameValue: 'MICROSOFT.KUBERNETES/CONNECTEDCLUSTERS/EVENTS.K8S.IO/EVENTS/DELETE' }),
  ],
  [
    'New Federated Domain Added - Exchange',
    row('OfficeActivity', { OfficeWorkload: 'Exchange', Operation: 'Add-FederatedDomain', ResultStatus: 'success' }),
  ],
  [
    'Security Privileges Enumeration Via Whoami.EXE',
    row('SecurityEvent', { EventID: 4688, NewProcessName: 'C:\\Windows\\whoami.exe', CommandLine: 'whoami /priv' }),
  ],
  ['Cleartext Protocol Usage', row('VMConnection', { Direction: 'outbound', DestinationPort: 23 })],
  [
    'Exchange ProxyShell Pattern',
    row('W3CIISLog', {
      csMethod: 'POST',
      csUriStem: '/x',
      csUriQuery: 'a=/autodiscover.json/powershell',
      scStatus: '401',
    }),
  ],
  [
    'Security Privileges Enumeration Via Whoami.EXE',
    hunted('ProcessCreated', { FolderPath: 'C:\\Windows\\whoami.exe', ProcessCommandLine: 'whoami /priv' }),
  ],
  [
    'Network Connection Initiated Via Notepad.EXE',
    hunted('ConnectionSuccess', { InitiatingProcessFolderPath: 'c:\\windows\\notepad.exe', RemotePort: 443 }),
  ],
  [
    'HackTool - Dumpert Process Dumper Default File',
    hunted('FileCreated', { FolderPath: 'C:\\x', FileName: 'dumpert.dmp' }),
  ],
  [
    'CobaltStrike Named Pipe',
    hunted('NamedPipeEvent', { AdditionalFields: '{"PipeName":"\\\\Device\\\\NamedPipe\\\\msagent_1"}' }),
  ],
  [
    'Monero Crypto Coin Mining Pool Lookup',
    JSON.stringify({
      timestamp: '2026-03-04T08:15:00Z',
      event_type: 'dns',
      flow_id: 1,
      dns: { rrname: 'pool.minexmr.com' },
    }),
  ],
  [
    'Exchange ProxyShell Pattern',
    '#Software: Microsoft Exchange Server\n#Fields: DateTime,RequestId,UrlStem,UrlQuery,ClientIpAddress,HttpStatus\n' +
      '2026-03-04T08:15:00.123Z,r,/x,?a=/autodiscover.json/powershell,192.0.2.1,401\n',
  ],
  [
    'Cleartext Protocol Usage',
    '1,2026/03/04 08:15:01,0123,TRAFFIC,end,2562,2026/03/04 08:15:00,192.0.2.1,192.0.2.2,0.0.0.0,0.0.0.0,r,,,telnet,vsys1,in,out,e1,e2,log,,7,1,5000,23,0,0,0x0,tcp,allow\n',
  ],
  [
    'DNS TXT Answer with Possible Execution Strings',
    '#separator \\x09\n#path\tdns\n#fields\tts\tqtype_name\tanswers\n#types\ttime\tstring\tvector[string]\n1\tTXT\tx,cmd.exe /c y\n',
  ],
];
/** Logs whose records say nothing of when, in part or at all. */
const undated = new Set(['network/cisco-aaa.log']);

describeWithSharedData('readers of cloud, web, network and table logs', () => {
  let loaded: LoadedRules;
  beforeAll(async () => {
    const trees = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'];
    loaded = loadRules(await readRuleFiles(trees.map((tree) => sharedData('sigma-rules', tree))));
  });
  const analyzed = (bytes: Uint8Array): Promise<Analysis> =>
    analyze(sourceOf(bytes), { rules: loaded.rules, logType: 'auto', maxSamples: 1 });

  it.each(Object.entries(logs))('%s', async (file, { records, malformed = 0, product, category }) => {
    const bytes = readFileSync(sharedData('logs', file));
    const sources = new Set<string>();
    let isAsked = false;
    const { report, heads } = await readAll(readerFor(detectLogType(bytes))!, bytes, ({ route }) => {
      const rows = rowsOf(route);
      for (const { facts } of rows) {
        if (facts.product !== undefined) sources.add(facts.product);
        if (facts.category !== undefined) sources.add(facts.category);
      }
      isAsked ||= loaded.rules.rules.some(({ logSource }) => rowsFor(logSource, rows).length > 0);
    });
    expect(report.records).toBe(records);
    expect(report.problems.map(({ count }) => count)).toEqual(malformed === 0 ? [] : [malformed]);
    if (product !== undefined) expect(sources).toContain(product);
    if (category !== undefined) expect(sources).toContain(category);
    expect(isAsked).toBe(!unasked.has(file));
    for (const { timestamp, channel } of heads) {
      if (!undated.has(file)) expect(timestamp).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
      expect(channel).not.toBe('');
    }
  });

  it('has input for every rule', () => {
    expect(loaded.withoutInput).toEqual({});
  });

  it('finds in EvtxECmd tables what it finds in the same events as flat tables', async () => {
    const [flat, shaped] = await Promise.all(
      ['derived-flat-sysmon.csv', 'derived-evtxecmd-shape.csv'].map(async (name) => {
        const { findings } = await analyzed(readFileSync(sharedData('logs/windows-csv', name)));
        return findings.map(({ ruleId, count }) => [ruleId, count]);
      }),
    );
    expect(flat!.length).toBeGreaterThan(30);
    expect(shaped).toEqual(flat);
  });

  it.each([
    ['cloudtrail/invictus-records-2.json', ['AWS STS AssumeRole Misuse']],
    ['cloudtrail/otrf-ec2-proxy-s3.ndjson', ['AWS STS AssumeRole Misuse']],
    ['gcp/plaso-gcp-audit.jsonl', ['Google Cloud Firewall Modified or Deleted']],
    ['azure/plaso-azure-activity.jsonl', ['Number Of Resource Creation Or Deployment Activities']],
    ['zeek-tsv/dce_rpc.log', ['MITRE BZAR Indicators for Execution']],
    [
      'zeek-json/otrf-apt29-scranton-http.log',
      ['Suspicious External WebDAV Execution', 'Windows WebDAV User Agent', 'Executable from Webdav'],
    ],
    ['network/cisco-aaa.log', ['Cisco Dot1x Disabled']],
  ])('matches rules of SigmaHQ in %s', async (file, titles) => {
    const { findings } = await analyzed(readFileSync(sharedData('logs', file)));
    expect(findings.map(({ ruleName }) => ruleName)).toEqual(expect.arrayContaining(titles));
  });

  describe('matches rules of SigmaHQ in made-up records', () => {
    it.each(cases)('%s', async (title, text) => {
      const { findings, problems } = await analyzed(new TextEncoder().encode(text));
      expect(problems).toEqual([]);
      expect(findings.map(({ ruleName }) => ruleName)).toContain(title);
    });
  });
});
