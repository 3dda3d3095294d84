import { isLeaf, isTree, type JsonTree } from '../json/json-tree.ts';
import { dns, firewall, globalprotect } from '../named/network-profiles.ts';
import type { Profile } from '../named/profile.ts';
import { webserver } from '../named/web-profiles.ts';

/** Suricata's EVE: ends by its names for them, and what an event is about in an object of its own. */
function suricata(source: Profile['source'], of: Profile, aliases: NonNullable<Profile['aliases']> = {}): Profile {
  return {
    ...of,
    source,
    aliases: {
      ...of.aliases,
      dst_ip: ['dest_ip'],
      dst_port: ['dest_port'],
      'destination.ip': ['dest_ip'],
      'destination.port': ['dest_port'],
      'source.ip': ['src_ip'],
      'source.port': ['src_port'],
      ...aliases,
    },
    head: {
      time: ['timestamp'],
      computer: ['host', 'src_ip'],
      service: 'suricata',
      channel: ['event_type'],
      event: ['alert.signature', 'dns.rrname', 'dns.queries.rrname', 'http.http_method', 'event_type'],
      record: ['flow_id'],
    },
  };
}

const names = { query: ['dns.rrname', 'dns.queries.rrname'], record_type: ['dns.rrtype', 'dns.queries.rrtype'] };
const suricataDns = suricata('suricataDns', dns, {
  ...names,
  'dns.question.name': names.query,
  'dns.question.type': names.record_type,
  answer: ['dns.answers.rdata'],
  'dns.answers.data': ['dns.answers.rdata'],
});
const requests = {
  'cs-method': ['http.http_method'],
  'cs-host': ['http.hostname'],
  'r-dns': ['http.hostname'],
  'cs-uri': ['http.url'],
  'c-uri': ['http.url'],
  'cs-user-agent': ['http.http_user_agent'],
  'c-useragent': ['http.http_user_agent'],
  'cs-referer': ['http.http_refer'],
  'cs-referrer': ['http.http_refer'],
  'sc-status': ['http.status'],
  url: ['http.url'],
  'c-ip': ['src_ip'],
};
const suricataHttp = suricata('suricataHttp', webserver, requests);
const suricataAlert = suricata('suricataAlert', firewall, { ...requests, action: ['alert.action'] });
const suricataFlow = suricata('suricataFlow', firewall);
const suricataOther = suricata('suricata', firewall);

const suricataEvents: Readonly<Record<string, Profile>> = {
  alert: suricataAlert,
  drop: suricataAlert,
  dns: suricataDns,
  http: suricataHttp,
  flow: suricataFlow,
  netflow: suricataFlow,
};

/** A record of Suricata's EVE by its kind; undefined for anything else. */
export function suricataProfile(record: JsonTree): Profile | undefined {
  const { event_type: kind } = record;
  if (!isLeaf(kind) || !kind.isString || !Object.hasOwn(record, 'timestamp')) return undefined;
  const isEve = ['flow_id', 'dest_ip', 'stats', 'in_iface'].some((key) => Object.hasOwn(record, key));
  const name = kind.text();
  return isEve ? (Object.hasOwn(suricataEvents, name) ? suricataEvents[name] : suricataOther) : undefined;
}

const strataAliases = {
  src_ip: ['SourceAddress', 'PublicIPv4'],
  src_port: ['SourcePort'],
  dst_ip: ['DestinationAddress'],
  dst_port: ['DestinationPort'],
  username: ['SourceUser', 'SourceUserName', 'User'],
};
const strataHead = {
  time: ['TimeGenerated', 'EventTime', 'TimeReceived', 'LogTime'],
  computer: ['DeviceName', 'LogSourceName', 'DeviceSN', 'LogSourceID', 'SourceAddress'],
  service: 'PAN-OS',
  channel: ['LogType'],
  event: ['EventID', 'EventName', 'Subtype', 'SubType', 'Action'],
  record: ['SequenceNo'],
};
const strata = (of: Profile, source: Profile['source']): Profile => ({
  ...of,
  source,
  aliases: { ...of.aliases, ...strataAliases },
  head: strataHead,
});
const strataGate = strata(globalprotect, 'globalprotect');
const strataOther = strata(firewall, 'paloalto');

/** A record that Palo Alto's firewalls send by way of its logging service; undefined for anything else. */
export function strataProfile(record: JsonTree): Profile | undefined {
  const { LogType: kind } = record;
  const isStrata = ['DeviceSN', 'DGHierarchyLevel1', 'LogSourceID'].some((key) => Object.hasOwn(record, key));
  if (!isLeaf(kind) || !kind.isString || !isStrata) return undefined;
  return /^globalprotect$/i.test(kind.text()) ? strataGate : strataOther;
}

const balancer: Profile = {
  ...webserver,
  aliases: {
    ...webserver.aliases,
    'cs-method': ['httpRequest.requestMethod'],
    'cs-uri': ['httpRequest.requestUrl'],
    'c-uri': ['httpRequest.requestUrl'],
    url: ['httpRequest.requestUrl'],
    'cs-user-agent': ['httpRequest.userAgent'],
    'c-useragent': ['httpRequest.userAgent'],
    'cs-referer': ['httpRequest.referer'],
    'cs-referrer': ['httpRequest.referer'],
    'sc-status': ['httpRequest.status'],
    'c-ip': ['httpRequest.remoteIp'],
  },
  head: {
    time: ['timestamp', 'receiveTimestamp'],
    computer: ['resource.labels.forwarding_rule_name', 'httpRequest.serverIp', 'httpRequest.remoteIp'],
    service: 'Cloud Load Balancing',
    channel: ['logName'],
    event: ['httpRequest.requestMethod'],
    record: ['insertId'],
  },
};
const flows: Profile = {
  ...firewall,
  aliases: {
    ...firewall.aliases,
    src_ip: ['jsonPayload.connection.src_ip'],
    src_port: ['jsonPayload.connection.src_port'],
    dst_ip: ['jsonPayload.connection.dest_ip'],
    dst_port: ['jsonPayload.connection.dest_port'],
    action: ['jsonPayload.disposition'],
  },
  derived: { blocked: (text) => String(/^denied$/i.test(text('jsonPayload.disposition') ?? '')) },
  head: {
    time: ['timestamp', 'receiveTimestamp'],
    computer: ['jsonPayload.dest_instance.vm_name', 'jsonPayload.src_instance.vm_name', 'resource.labels.project_id'],
    service: 'VPC flow logs',
    channel: ['logName'],
    event: ['jsonPayload.reporter', 'jsonPayload.disposition'],
    record: ['insertId'],
  },
};
const entry: Profile = {
  source: 'gcpOther',
  head: {
    time: ['timestamp', 'receiveTimestamp'],
    computer: ['jsonPayload._HOSTNAME', 'resource.labels.node_name', 'resource.labels.project_id'],
    service: 'Cloud Logging',
    channel: ['logName'],
    event: ['jsonPayload.reason', 'resource.type'],
    record: ['insertId'],
  },
};

/** An entry of Google's Cloud Logging that is no audit record; undefined for anything else. */
export function loggingProfile(record: JsonTree): Profile | undefined {
  if (!['logName', 'insertId', 'resource'].every((key) => Object.hasOwn(record, key))) return undefined;
  const { httpRequest, jsonPayload } = record;
  if (isTree(httpRequest) && Object.hasOwn(httpRequest, 'requestUrl')) return balancer;
  return isTree(jsonPayload) && isTree(jsonPayload.connection) ? flows : entry;
}
