import type { Profile } from './profile.ts';
import { webAliases, webDecoded, webserver } from './web-profiles.ts';

const sourceIp = ['src_ip', 'src', 'srcip', 'src-ip', 'source.ip', 'SourceIP', 'c-ip', 'id.orig_h'];
const sourcePort = ['src_port', 'spt', 'srcport', 'src-port', 'srcPort', 'source.port', 'SourcePort', 'id.orig_p'];
const targetIp = ['dst_ip', 'dst', 'dstip', 'dst-ip', 'destination.ip', 'DestinationIP', 'id.resp_h'];
const targetPort = [
  'dst_port',
  'dpt',
  'dstport',
  'dst-port',
  'dstPort',
  'destination.port',
  'DestinationPort',
  'id.resp_p',
];

/** T-fw by the names of firewalls, CEF and LEEF; ECS names likewise. */
export const firewallAliases: Readonly<Record<string, readonly string[]>> = {
  src_ip: sourceIp,
  src_port: sourcePort,
  dst_ip: targetIp,
  dst_port: targetPort,
  'source.ip': sourceIp,
  'source.port': sourcePort,
  'destination.ip': targetIp,
  'destination.port': targetPort,
  username: ['user', 'suser', 'usrName', 'srcuser', 'src_user', 'admin', 'duser'],
  action: ['act', 'disposition', 'event.action'],
};

const blocking = /^(?:drop|deny|denied|block|blocked|reject|rejected|reset-\w+)$/i;

const panOsTimes = ['time_generated', 'receive_time'];

/** @param source which of the inputs with firewall fields. */
function network(source: Profile['source'], service: string): Profile {
  return {
    source,
    aliases: firewallAliases,
    derived: {
      blocked: (text) => {
        const action = text('action');
        return action === undefined ? undefined : String(blocking.test(action));
      },
      // FortiOS has both in the device's own time, and its zone apart.
      datetime: (text) => {
        const [date, time, zone] = [text('date'), text('time'), text('tz') ?? ''];
        return date === undefined || time === undefined ? undefined : `${date} ${time}${zone}`;
      },
    },
    head: {
      time: [
        ...panOsTimes,
        '@timestamp',
        'timestamp',
        'rt',
        'devTime',
        'datetime',
        'eventtime',
        'FTNTFGTeventtime',
        'ts',
        'time',
        'start',
        'end',
      ],
      computer: ['dvchost', 'devname', 'dvc', 'host', 'src_ip', 'serial'],
      service,
      channel: ['cef.product', 'leef.product', 'type'],
      event: ['cef.id', 'leef.id', 'logid', 'event_id', 'action', 'subtype'],
    },
  };
}

export const firewall = network('firewall', 'firewall');
const fortiOs = network('fortigate', 'FortiOS');
/** FortiOS writes its own fields into CEF behind one of these marks. */
const fortiMarks = ['FTNTFGT', 'FortinetFortiGate', 'ad.'];
const fortiNames =
  'logid type subtype level vd logdesc cfgpath cfgobj cfgattr ui status method tunneltype reason eventtime'.split(' ');
export const fortigate: Profile = {
  ...fortiOs,
  aliases: {
    ...Object.fromEntries(fortiNames.map((name) => [name, fortiMarks.map((mark) => `${mark}${name}`)])),
    ...fortiOs.aliases,
  },
};
export const globalprotect = network('globalprotect', 'PAN-OS');
export const paloalto = network('paloalto', 'PAN-OS');
/** Messages of Cisco's systems, which rules search by keywords. */
export const ciscoMessage: Profile = {
  source: 'cisco',
  head: { time: ['time'], computer: ['host'], service: 'cisco', event: ['mnemonic'] },
};
export const ftpServer: Profile = {
  source: 'vsftpd',
  head: { time: ['time'], computer: ['host'], service: 'vsftpd' },
};
export const netflow = network('netflow', 'netflow');

/** T-dns. */
const dnsAliases: Readonly<Record<string, readonly string[]>> = {
  query: ['dns.question.name', 'QueryName', 'qname', 'query_name'],
  record_type: ['qtype_name', 'dns.question.type', 'qtype', 'QueryType'],
  answer: ['answers', 'dns.answers.data', 'QueryResults'],
  'dns.question.name': ['query'],
  'dns.question.type': ['qtype_name', 'record_type'],
  'dns.answers.data': ['answers', 'answer'],
  'source.ip': sourceIp,
  'source.port': sourcePort,
  'destination.ip': targetIp,
  'destination.port': targetPort,
};

export const dns: Profile = {
  source: 'dns',
  aliases: dnsAliases,
  head: {
    time: ['@timestamp', 'timestamp', 'ts', 'time'],
    computer: ['host.name', 'host', 'source.ip'],
    service: 'dns',
    event: ['record_type'],
  },
};

/** Zeek's nested names, in the three ways that its writers join them. */
const joins: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['id.orig_h', 'id.orig_p', 'id.resp_h', 'id.resp_p'].map((name) => [name, [name.replace('.', '_')]]),
);

function zeek(source: Profile['source'], own: Partial<Profile> = {}): Profile {
  return {
    source,
    ...own,
    aliases: { ...own.aliases, ...joins },
    head: {
      time: ['ts'],
      computer: ['@system', '_system_name', 'id.orig_h', 'host'],
      channel: ['_path', '@stream'],
      service: 'zeek',
      event: own.head?.event ?? [],
      record: ['uid', 'fuid'],
    },
  };
}

const none = { time: [], computer: [] };

/** Profiles of the logs that Zeek writes, by their names. */
const zeekLogs: ReadonlyMap<string, Profile> = new Map([
  ['dns', zeek('zeekDns', { aliases: dnsAliases, head: { ...none, event: ['qtype_name'] } })],
  [
    'http',
    zeek('zeekHttp', {
      aliases: webAliases,
      decoded: webDecoded,
      ...(webserver.derived && { derived: webserver.derived }),
      head: { ...none, event: ['method'] },
    }),
  ],
  ['conn', zeek('zeekConn', { aliases: firewallAliases, head: { ...none, event: ['conn_state'] } })],
  ['smb_files', zeek('zeekSmbFiles', { head: { ...none, event: ['action'] } })],
  ['dce_rpc', zeek('zeekDceRpc', { head: { ...none, event: ['operation'] } })],
  ['kerberos', zeek('zeekKerberos', { head: { ...none, event: ['request_type'] } })],
  ['rdp', zeek('zeekRdp', { head: { ...none, event: ['result'] } })],
  ['x509', zeek('zeekX509')],
]);

const zeekOther = zeek('zeek');

export function zeekProfile(log: string): Profile {
  return zeekLogs.get(log) ?? zeekOther;
}
