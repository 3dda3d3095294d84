import { isLeaf, isTree, type JsonNode, type JsonTree, present } from '../json/json-tree.ts';
import { endpointOf } from '../endpoint/endpoint-profile.ts';
import { tableProfile } from '../log-analytics/table-profiles.ts';
import * as cloud from './cloud-profiles.ts';
import { dns, firewall, netflow, zeekProfile } from '../named/network-profiles.ts';
import type { Profile } from '../named/profile.ts';
import { exchangeProfile } from './exchange-profiles.ts';
import { loggingProfile, strataProfile, suricataProfile } from './network-profiles.ts';
import { webserver } from '../named/web-profiles.ts';
import { antivirus, macosFile, macosProcess, unlabelled } from './endpoint-profiles.ts';

/**
 * What an object is by its keys (detection-engine 1.2.4, signatures of unlabelled JSON); the first hit wins.
 * @param wrapper what the record stands in, where that says more of it.
 * @param endpoint what its keys tell, where they have been looked at before.
 */
export function profileOf(record: JsonTree, wrapper?: JsonTree, endpoint = endpointOf(record)): Profile {
  return (
    tableProfile(record, wrapper) ??
    endpoint?.(record) ??
    cloudProfile(record) ??
    zeekProfileOf(record) ??
    otherProfile(record) ??
    unlabelled
  );
}

/** Records of cloud and software services; undefined for anything else. */
export function cloudProfile(record: JsonTree): Profile | undefined {
  const has = (...keys: string[]): boolean => keys.every((key) => Object.hasOwn(record, key));
  if (has('eventSource', 'eventName', 'awsRegion')) return cloud.cloudtrail;
  if (has('protoPayload')) return isWorkspaceCall(record) ? cloud.workspace : cloud.gcp;
  const azure = azureProfile(record);
  if (azure !== undefined) return azure;
  if (has('Workload', 'Operation')) return cloud.m365Profile(text(record.Workload));
  if (has('eventSource', 'eventName') && /SecurityComplianceCenter/i.test(text(record.eventSource)))
    return cloud.m365Threats;
  const hasOne = (...keys: string[]): boolean => keys.some((key) => Object.hasOwn(record, key));
  if (has('eventType') && (has('actor', 'outcome') || (has('published') && hasOne('actor', 'client'))))
    return cloud.okta;
  if (has('verb', 'objectRef') || text(record.apiVersion).startsWith('audit.k8s.io')) return cloud.kubernetes;
  if (has('auditType')) return cloud.bitbucket;
  if (has('action', 'actor') && hasOne('org', 'repo', 'business', '_document_id')) return cloud.github;
  if (has('logtype', 'node_id')) return cloud.opencanary;
  if (has('riskEventType')) return cloud.azureRisk;
  if (has('event_type_id')) return cloud.onelogin;
  if (/^(?:admin#)?(?:reports|audit)#activity/.test(text(record.kind)) || has('eventService', 'eventName'))
    return cloud.workspace;
  if (has('event_type', 'txid') || has('access_device', 'auth_device')) return cloud.duo;
  if (has('isotimestamp', 'action') || (has('isotimestamp') && hasOne('eventtype', 'factor'))) return cloud.duo;
  if (has('CmdletName') && hasOne('Caller', 'RunDate', 'CmdletParameters')) return cloud.exchangeAdmin;
  return has('host.scan.vuln') || has('host.scan.vuln_name') ? cloud.qualys : undefined;
}

/** Service of an Azure record by its category, or by what only records of one service have. */
function azureProfile(record: JsonTree): Profile | undefined {
  const has = (...keys: string[]): boolean => keys.some((key) => Object.hasOwn(record, key));
  const category = text(present(record.category) ?? present(record.Category) ?? record.Type);
  const isRecord = has('operationName', 'OperationName') && has('category', 'Category', 'resourceId', 'ResourceId');
  if (/^(?:Risky?|User|ServicePrincipal)\w*Risk\w*|^Risk(?:y|Detection)\w*$|RiskEvents$/i.test(category))
    return isRecord ? cloud.azureRisk : undefined;
  if (/sign-?in-?logs$/i.test(category)) return cloud.azureSignIn;
  if (isRecord && /^ApplicationGateway|^FrontDoor|^AppServiceHTTPLogs$/i.test(category)) return webserver;
  if (isRecord) return /^AuditLogs$|^\w+Management$/i.test(category) ? cloud.azureAudit : cloud.azureActivity;
  if (has('operationName', 'OperationNameValue', 'operation_name') && has('claims', 'caller', 'CategoryValue'))
    return cloud.azureActivity;
  if (has('activityDisplayName', 'ActivityDisplayName') && has('targetResources', 'loggedByService', 'TargetResources'))
    return cloud.azureAudit;
  if (has('appDisplayName', 'AppDisplayName') && has('conditionalAccessStatus', 'ConditionalAccessStatus'))
    return cloud.azureSignIn;
  return undefined;
}

function isWorkspaceCall({ protoPayload }: JsonTree): boolean {
  const service = isTree(protoPayload) ? text(protoPayload.serviceName) : '';
  return /^(?:admin|login|oauth2|cloudidentity|groups)\.googleapis\.com$/.test(service);
}

/** Records of Zeek, by the name of their log or by what all of its connections have. */
export function zeekProfileOf(record: JsonTree): Profile | undefined {
  const { _path: path } = record;
  const log = present(path) ?? record['@stream'];
  if (isLeaf(log) && log.isString && Object.hasOwn(record, 'ts')) return zeekProfile(log.text());
  const isConnection = Object.hasOwn(record, 'id.orig_h') || Object.hasOwn(record, 'id_orig_h');
  return Object.hasOwn(record, 'uid') && isConnection ? zeekProfile(zeekLogOf(record)) : undefined;
}

/** Name of the log by a key that its records have and no others. */
function zeekLogOf(record: JsonTree): string {
  for (const [key, log] of Object.entries(zeekKeys)) if (Object.hasOwn(record, key)) return log;
  return '';
}

const zeekKeys = {
  qtype_name: 'dns',
  query: 'dns',
  method: 'http',
  status_code: 'http',
  named_pipe: 'dce_rpc',
  endpoint: 'dce_rpc',
  request_type: 'kerberos',
  cookie: 'rdp',
  conn_state: 'conn',
};

function otherProfile(record: JsonTree): Profile | undefined {
  const has = (...keys: string[]): boolean => keys.some((key) => Object.hasOwn(record, key));
  const known = suricataProfile(record) ?? strataProfile(record) ?? loggingProfile(record) ?? exchangeProfile(record);
  if (known !== undefined) return known;
  if (isMacos(record)) return has('TargetFilename') && !has('CommandLine') ? macosFile : macosProcess;
  if (has('cs-method', 'cs-uri-stem', 'cs-uri-query', 'cs-uri', 'request_uri', 'http_user_agent')) return webserver;
  if (isTree(record.http) && isTree(record.url)) return webserver;
  if (isTree(record.dns) || (has('query') && has('record_type', 'answer', 'qtype_name'))) return dns;
  if (has('Signature') && has('Filename', 'Action')) return antivirus;
  if (has('src_ip') && has('dst_ip') && has('action', 'blocked')) return firewall;
  return isTree(record.flow) || isTree(record.netflow) ? netflow : undefined;
}

function isMacos({ host, product, platform, os }: JsonTree): boolean {
  const inner = isTree(host) && isTree(host.os) ? [host.os.type, host.os.family, host.os.platform] : [];
  return [product, platform, os, ...inner].some((value) => /^(?:macos|darwin|mac)$/i.test(text(value)));
}

/** Text of a value; of Azure's `{value, localizedValue}` the value's. */
function text(value: JsonNode | undefined): string {
  if (isTree(value)) return text(value.value);
  return isLeaf(value) && value.isString ? value.text() : '';
}
