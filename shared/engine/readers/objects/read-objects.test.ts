import { describe, expect, it } from 'vitest';
import type { OutputRecord } from '../../events/log-event.ts';
import { givenTree } from '../json/json-tree.ts';
import type { JsonObject } from '../json/json-value.ts';
import { freshTables, readAll } from '../../testing/index.ts';
import { readObjects } from './read-objects.ts';
import { profileOf } from './signatures.ts';

const trail = { eventSource: 'iam.amazonaws.com', eventName: 'CreateUser', awsRegion: 'eu-1' };

const layouts: { layout: string; text: string; records: number }[] = [
  { layout: 'lines', text: `${JSON.stringify(trail)}\r\n${JSON.stringify(trail)}`, records: 2 },
  { layout: 'an array', text: JSON.stringify([trail, trail]), records: 2 },
  { layout: 'an indented array', text: JSON.stringify([trail, trail], null, 2), records: 2 },
  {
    layout: 'indented objects',
    text: [trail, trail].map((one) => JSON.stringify(one, null, 1)).join('\n'),
    records: 2,
  },
  { layout: 'Records', text: JSON.stringify({ Records: [trail, trail] }), records: 2 },
  { layout: 'a wrapper, indented', text: JSON.stringify({ value: [trail, trail] }, null, 2), records: 2 },
  {
    layout: 'a wrapper with more before and after',
    text: JSON.stringify({ kind: 'List', metadata: {}, items: [trail], next: { a: ['}'] }, last: 1 }),
    records: 1,
  },
  {
    layout: 'wrappers on lines',
    text: `${JSON.stringify({ Records: [trail] })}\n${JSON.stringify({ Records: [trail, trail] })}\n${JSON.stringify(trail)}`,
    records: 4,
  },
  { layout: 'an empty wrapper', text: '{"Records":[]}', records: 1 },
  { layout: 'a list within a record', text: JSON.stringify({ id: { a: 1 }, events: [trail, trail] }), records: 1 },
];

const nested = {
  ...trail,
  'gcp.audit.method_name': 'literal',
  userIdentity: { Type: 'Root', sessionContext: { 'a.b': 'dotted' } },
  resources: [{ arn: 'one', tags: ['x', 'y'] }, { arn: 'two' }],
  empty: null,
  nothing: [],
  blank: '',
  count: 7,
  ok: false,
};

describe('readObjects', () => {
  it.each(layouts)('$layout', async ({ text, records }) => {
    const result = await readAll(readObjects, text);
    expect(result.report).toEqual({ records, problems: [] });
  });

  it.each([
    ['eventName', ['CreateUser']],
    ['EVENTNAME', ['CreateUser']],
    ['gcp.audit.method_name', ['literal']],
    ['userIdentity.type', ['Root']],
    ['userIdentity.sessionContext.a.b', ['dotted']],
    ['resources.arn', ['one', 'two']],
    ['resources.tags', ['x', 'y']],
    ['count', ['7']],
    ['ok', ['false']],
    ['blank', ['']],
    ['userIdentity.sessionContext', ['{"a.b":"dotted"}']],
    ['src_ip', []],
    ['resources.none', []],
    ['toString', []],
    ['eventName.length', []],
  ])('finds %s', async (name, texts) => {
    expect(await valuesOf(nested, name)).toEqual(texts);
  });

  it('gives a report its head and all that has a value', async () => {
    const { heads, records } = await readAll(
      readObjects,
      JSON.stringify({ ...nested, eventTime: '2024-01-02T03:04:05Z', sourceIPAddress: '192.0.2.1', eventID: 'e' }),
    );
    expect(heads[0]).toEqual({
      recordId: 'e',
      timestamp: '2024-01-02T03:04:05Z',
      computer: '192.0.2.1',
      channel: 'iam.amazonaws.com',
      eventId: 'CreateUser',
    });
    expect(records[0]).toMatchObject({
      'resources.arn': ['one', 'two'],
      count: 7,
      ok: false,
      'userIdentity.Type': 'Root',
    });
    expect(Object.keys(records[0] as OutputRecord)).not.toContain('empty');
  });

  it('searches every text and number for keywords', async () => {
    const texts: string[] = [];
    await readAll(readObjects, JSON.stringify(nested), (event) => {
      event.keywords((id) => {
        texts.push(event.values.text(id));
        return false;
      });
    });
    expect(texts).toEqual(expect.arrayContaining(['literal', 'Root', 'dotted', 'x', 'y', '7']));
    expect(texts).not.toContain('');
  });

  it('counts what is not well-formed and reads on', async () => {
    const { report } = await readAll(readObjects, `{"a":1}\n{"a":nul}\n{"a":2}\n{"a":`);
    expect(report.records).toBe(2);
    expect(report.problems.map(({ code, count }) => [code, count])).toEqual([
      ['record-malformed', 1],
      ['record-unfinished', 1],
    ]);
  });

  it('keeps integers and fractions exact', async () => {
    const { records } = await readAll(readObjects, '{"a":9007199254740993,"b":0.0008699893951416016,"c":-1.5e3}');
    expect(records[0]).toMatchObject({ a: '9007199254740993', b: 0.0008699893951416016, c: -1500 });
  });
});

const signatures: [string, object][] = [
  ['cloudtrail', trail],
  ['unlabelled', { eventSource: 's', eventName: 'n' }],
  ['m365Threats', { eventSource: 'SecurityComplianceCenter', eventName: 'n', status: 'success' }],
  ['gcp', { protoPayload: { serviceName: 'compute.googleapis.com' } }],
  ['workspace', { protoPayload: { serviceName: 'login.googleapis.com' } }],
  ['workspace', { kind: 'reports#activity', events: {} }],
  ['exchangeTracking', { MessageTraceId: 'm', RecipientAddress: 'a', Received: '/Date(1772612100123)/' }],
  ['workspace', { kind: 'admin#reports#activity', id: {}, actor: {}, events: [] }],
  ['azureAudit', { operationName: 'Add user', category: 'AuditLogs' }],
  ['azureSignIn', { operationName: 'Sign-in activity', category: 'NonInteractiveUserSignInLogs' }],
  ['azureSignIn', { appDisplayName: 'a', conditionalAccessStatus: 'success' }],
  ['azureActivity', { operationName: 'MICROSOFT.COMPUTE/DISKS/DELETE', resourceId: '/x', category: 'Administrative' }],
  ['azureActivity', { operation_name: { value: 'a' }, caller: 'c', claims: {} }],
  ['webserver', { operationName: 'ApplicationGatewayAccess', category: 'ApplicationGatewayAccessLog' }],
  ['azureRisk', { riskEventType: 'unfamiliarFeatures' }],
  ['m365', { Workload: 'AzureActiveDirectory', Operation: 'UserLoggedIn' }],
  ['m365Exchange', { Workload: 'Exchange', Operation: 'New-InboxRule' }],
  ['okta', { actor: {}, outcome: {}, eventType: 'user.session.start' }],
  ['kubernetes', { verb: 'create', objectRef: {} }],
  ['bitbucket', { auditType: {} }],
  ['github', { action: 'org.add_member', actor: 'a', org: 'o' }],
  ['opencanary', { logtype: 4002, node_id: 'n' }],
  ['onelogin', { event_type_id: 90 }],
  ['zeekDns', { _path: 'dns', ts: 1 }],
  ['zeekHttp', { '@stream': 'http', ts: 1 }],
  ['zeekConn', { ts: 1, uid: 'C', id_orig_h: 'h', conn_state: 'SF' }],
  ['macosProcess', { host: { os: { type: 'macos' } }, process: {} }],
  ['webserver', { 'cs-method': 'GET' }],
  ['dns', { query: 'q', answer: 'a' }],
  ['antivirus', { Signature: 's', Filename: 'f' }],
  ['firewall', { src_ip: 'a', dst_ip: 'b', action: 'deny' }],
  ['suricataAlert', { timestamp: 't', event_type: 'alert', flow_id: 1, alert: {}, http: {} }],
  ['suricataDns', { timestamp: 't', event_type: 'dns', flow_id: 1, dns: {} }],
  ['suricataHttp', { timestamp: 't', event_type: 'http', flow_id: 1, http: {} }],
  ['suricataFlow', { timestamp: 't', event_type: 'flow', flow_id: 1, flow: {} }],
  ['suricata', { timestamp: 't', event_type: 'stats', stats: {} }],
  ['paloalto', { LogType: 'THREAT', DeviceSN: '1' }],
  ['globalprotect', { LogType: 'GLOBALPROTECT', DeviceSN: '1' }],
  ['webserver', { insertId: 'i', logName: 'l', resource: {}, httpRequest: { requestUrl: 'u' } }],
  ['firewall', { insertId: 'i', logName: 'l', resource: {}, jsonPayload: { connection: {} } }],
  ['gcpOther', { insertId: 'i', logName: 'l', resource: {}, jsonPayload: { MESSAGE: 'm' } }],
  ['duo', { isotimestamp: 't', action: 'admin_login', object: null }],
  ['okta', { eventType: 'user.session.start', published: 't', client: {} }],
  ['github', { action: 'repo.destroy', actor: 'a', repo: 'o/r' }],
  ['m365Exchange', { CmdletName: 'New-ManagementRoleAssignment', Caller: 'a', RunDate: 't' }],
  ['unlabelled', { a: 1 }],
];

describe('profileOf', () => {
  it.each(signatures)('%s: %j', (source, record) => {
    expect(profileOf(givenTree(record as JsonObject)).source).toBe(source);
  });
});

const aliases: [string, object, string, string[]][] = [
  ['gcp.audit.method_name', { protoPayload: { methodName: 'm' } }, 'GCP by its old name', ['m']],
  ['OperationName', { category: 'AuditLogs', operationName: 'Add user' }, 'Azure in any case', ['Add user']],
  [
    'properties.message',
    { category: 'AuditLogs', operationName: 'o', properties: { message: 'm' } },
    'its own first',
    ['m'],
  ],
  ['operationName', { caller: 'c', operationName: { value: 'v', localizedValue: 'l' } }, 'a translated value', ['v']],
  ['id.orig_h', { '@stream': 'dns', ts: 1, id_orig_h: 'h' }, 'Zeek with underscores', ['h']],
  ['record_type', { _path: 'dns', ts: 1, qtype_name: 'TXT' }, 'Zeek as T-dns', ['TXT']],
  ['c-uri', { _path: 'http', ts: 1, host: 'h', uri: '/a%20b' }, 'Zeek as T-proxy', ['http://h/a%20b', 'http://h/a b']],
  ['c-useragent', { _path: 'http', ts: 1, user_agent: 'u' }, 'Zeek as T-proxy', ['u']],
  ['query', { timestamp: 't', event_type: 'dns', flow_id: 1, dns: { queries: [{ rrname: 'q' }] } }, 'EVE', ['q']],
  ['dst_port', { timestamp: 't', event_type: 'flow', flow_id: 1, dest_port: 53 }, 'EVE as T-fw', ['53']],
  [
    'c-uri',
    { timestamp: 't', event_type: 'http', flow_id: 1, http: { url: '/a%20b' } },
    'EVE as T-proxy',
    ['/a%20b', '/a b'],
  ],
  ['dst_ip', { LogType: 'TRAFFIC', DeviceSN: '1', DestinationAddress: 'd' }, 'PAN-OS as T-fw', ['d']],
  [
    'src_ip',
    { insertId: 'i', logName: 'l', resource: {}, jsonPayload: { connection: { src_ip: 's' } } },
    'VPC flows',
    ['s'],
  ],
  [
    'sc-status',
    { insertId: 'i', logName: 'l', resource: {}, httpRequest: { requestUrl: 'u', status: 503 } },
    'GCP',
    ['503'],
  ],
  [
    'Operation',
    { CmdletName: 'New-MailboxExportRequest', Caller: 'a' },
    'Exchange as M365',
    ['New-MailboxExportRequest'],
  ],
  ['eventName', { Workload: 'SecurityComplianceCenter', Operation: 'AlertTriggered', Name: 'n' }, 'M365 alert', ['n']],
];

describe('aliases of objects', () => {
  it.each(aliases)('%s in %j: %s', async (name, record, _, texts) => {
    expect(await valuesOf(record, name)).toEqual(texts);
  });
});

async function valuesOf(record: object, name: string): Promise<string[]> {
  const tables = freshTables();
  const field = tables.fields.id(name);
  const found: string[] = [];
  await readAll(
    readObjects,
    JSON.stringify(record),
    (event) => {
      const id = event.value(field);
      for (const item of id === 0 ? [] : (event.values.items(id) ?? [id])) found.push(event.values.text(item));
    },
    { tables },
  );
  return found;
}
