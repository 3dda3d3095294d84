import type { Profile } from '../named/profile.ts';

const anyTime = ['time', 'eventTime', 'timestamp', '@timestamp', 'createdDateTime', 'TimeGenerated'];

export const cloudtrail: Profile = {
  source: 'cloudtrail',
  aliases: { src_ip: ['sourceIPAddress'], username: ['userIdentity.userName'] },
  head: {
    time: ['eventTime', '@timestamp'],
    computer: ['sourceIPAddress'],
    channel: ['eventSource'],
    event: ['eventName'],
    record: ['eventID'],
  },
};

/** Rules name Entra and Monitor values with and without `properties`, and as Log Analytics spells them. */
const azureAliases: Readonly<Record<string, readonly string[]>> = {
  'properties.message': ['activityDisplayName', 'properties.activityDisplayName', 'operationName'],
  activitydisplayname: ['properties.activityDisplayName', 'operationName'],
  activitytype: ['activityDisplayName', 'properties.activityDisplayName', 'operationName'],
  operationname: [
    'operation_name',
    'properties.operationName',
    'activityDisplayName',
    'properties.activityDisplayName',
  ],
  operationnamevalue: ['operationName', 'operation_name'],
  categoryvalue: ['category'],
  resourceprovidervalue: ['resourceProviderName', 'resourceProvider', 'resource_provider_name'],
  resourceid: ['properties.resourceId', 'resource_id'],
  loggedbyservice: ['properties.loggedByService'],
  status: ['properties.status', 'properties.result', 'result'],
  resulttype: ['status.errorCode', 'properties.status.errorCode'],
  resultdescription: ['status.failureReason', 'properties.status.failureReason', 'resultReason'],
  'properties.initiatedby': ['initiatedBy'],
  'initiatied.by': ['initiatedBy', 'properties.initiatedBy'],
  initiatedby: ['properties.initiatedBy'],
  'properties.targetresources': ['targetResources'],
  targetresources: ['properties.targetResources'],
  'targetresources.modifiedproperties': ['properties.targetResources.modifiedProperties'],
  'targetresources.modifiedproperties.displayname': ['properties.targetResources.modifiedProperties.displayName'],
  'targetresources.modifiedproperties.newvalue': ['properties.targetResources.modifiedProperties.newValue'],
  'targetresources.type': ['properties.targetResources.type'],
  target: ['targetResources.displayName', 'properties.targetResources.displayName'],
  'additionaldetails.additionalinfo': ['properties.additionalDetails'],
  'consentcontext.isadminconsent': [
    'targetResources.modifiedProperties.newValue',
    'properties.targetResources.modifiedProperties.newValue',
  ],
  'properties.result': ['result'],
  authenticationrequirement: ['properties.authenticationRequirement'],
  'properties.authenticationrequirement': ['authenticationRequirement'],
  'devicedetail.trusttype': ['properties.deviceDetail.trustType'],
  'devicedetail.deviceid': ['properties.deviceDetail.deviceId'],
  'devicedetail.iscompliant': ['properties.deviceDetail.isCompliant'],
  'properties.devicedetail.deviceid': ['deviceDetail.deviceId'],
  'properties.appid': ['appId'],
  location: ['properties.location'],
  useragent: ['properties.userAgent'],
  calleripaddress: ['ipAddress', 'properties.ipAddress'],
  hometenantid: ['properties.homeTenantId'],
  resourcetenantid: ['properties.resourceTenantId'],
  riskstate: ['properties.riskState'],
  resourcedisplayname: ['properties.resourceDisplayName'],
  conditionalaccessstatus: ['properties.conditionalAccessStatus'],
  networklocationdetails: ['properties.networkLocationDetails'],
  clientapp: ['clientAppUsed', 'properties.clientAppUsed'],
  username: ['userPrincipalName', 'properties.userPrincipalName'],
  riskeventtype: ['properties.riskEventType'],
};

function azure(source: Profile['source'], service: string): Profile {
  return {
    source,
    aliases: azureAliases,
    head: {
      time: [
        'time',
        'eventTimestamp',
        'event_timestamp',
        'activityDateTime',
        'createdDateTime',
        'TimeGenerated',
        'timeStamp',
        'timestamp',
      ],
      computer: ['callerIpAddress', 'properties.ipAddress', 'ipAddress', 'httpRequest.clientIpAddress', 'resourceId'],
      service,
      channel: ['category', 'Type'],
      event: ['operationName', 'activityDisplayName', 'riskEventType', 'properties.riskEventType', 'appDisplayName'],
      record: ['correlationId', 'eventDataId', 'id'],
    },
  };
}

export const azureActivity = azure('azureActivity', 'Azure activity');
export const azureAudit = azure('azureAudit', 'AuditLogs');
export const azureSignIn = azure('azureSignIn', 'SignInLogs');
export const azureRisk = azure('azureRisk', 'RiskDetection');
export const azureOther = azure('azure', 'Azure');

export const gcp: Profile = {
  source: 'gcp',
  aliases: {
    'gcp.audit.method_name': ['protoPayload.methodName'],
    'data.protopayload.authorizationinfo.permission': ['protoPayload.authorizationInfo.permission'],
    'data.protopayload.authorizationinfo.granted': ['protoPayload.authorizationInfo.granted'],
    'data.protopayload.servicename': ['protoPayload.serviceName'],
    'data.protopayload.resource.type': ['resource.type'],
    'data.protopayload.logname': ['logName'],
    'data.protopayload.methodname': ['protoPayload.methodName'],
  },
  head: {
    time: ['timestamp', 'receiveTimestamp'],
    computer: ['protoPayload.requestMetadata.callerIp'],
    channel: ['protoPayload.serviceName', 'logName'],
    event: ['protoPayload.methodName'],
    record: ['insertId'],
  },
};

export const workspace: Profile = {
  source: 'workspace',
  aliases: {
    ...gcp.aliases,
    eventname: ['protoPayload.metadata.event.eventName', 'events.name'],
    'protopayload.metadata.event.eventname': ['events.name'],
    eventservice: ['protoPayload.serviceName'],
    'protopayload.servicename': ['eventService'],
    new_value: ['protoPayload.metadata.event.parameter.value', 'events.parameters.value'],
    setting_name: ['protoPayload.metadata.event.parameter.value', 'events.parameters.value'],
  },
  derived: {
    eventservice: (text) => serviceOf(text('id.applicationName')),
    'protopayload.servicename': (text) => serviceOf(text('id.applicationName')),
  },
  head: {
    time: ['id.time', 'timestamp', 'receiveTimestamp'],
    computer: ['ipAddress', 'protoPayload.requestMetadata.callerIp'],
    service: 'Google Workspace',
    channel: ['id.applicationName', 'protoPayload.serviceName'],
    event: ['events.name', 'protoPayload.metadata.event.eventName', 'protoPayload.methodName', 'eventName'],
    record: ['id.uniqueQualifier', 'insertId'],
  },
};

function serviceOf(application: string | undefined): string | undefined {
  return application === undefined ? undefined : `${application}.googleapis.com`;
}

function m365Of(source: Profile['source']): Profile {
  return {
    source,
    aliases: {
      eventsource: ['Workload', 'Source'],
      eventname: ['Name', 'Operation'],
      status: ['ResultStatus'],
      payload: ['Data'],
    },
    head: {
      time: ['CreationTime', 'CreationDate', 'TimeGenerated'],
      computer: ['ClientIP', 'ClientIPAddress', 'ActorIpAddress', 'OriginatingServer'],
      service: 'Microsoft 365',
      channel: ['Workload'],
      event: ['Operation', 'eventName'],
      record: ['Id'],
    },
  };
}

export const m365 = m365Of('m365');
export const m365Exchange = m365Of('m365Exchange');
export const m365Threats = m365Of('m365Threats');
/** Commands of administrators, as Exchange's own audit log gives them out. */
export const exchangeAdmin: Profile = {
  source: 'm365Exchange',
  aliases: {
    operation: ['CmdletName'],
    eventname: ['CmdletName'],
    userid: ['Caller'],
    objectid: ['ObjectModified'],
    parameters: ['CmdletParameters'],
    'parameters.name': ['CmdletParameters.Name'],
    'parameters.value': ['CmdletParameters.Value'],
  },
  head: {
    time: ['RunDate'],
    computer: ['OriginatingServer', 'ClientIP'],
    service: 'Exchange admin audit',
    event: ['CmdletName'],
    record: ['Identity'],
  },
};
/** Rows of Defender's advanced hunting that tell of alerts, mails and identities. */
export const defenderOther: Profile = {
  source: 'defenderOther',
  head: {
    time: ['Timestamp', 'TimeGenerated'],
    computer: ['DeviceName', 'IPAddress', 'AccountUpn', 'RecipientEmailAddress'],
    service: 'Microsoft Defender XDR',
    channel: ['Type', 'ServiceSource'],
    event: ['ActionType', 'Title', 'DeliveryAction'],
    record: ['ReportId'],
  },
};

/** What a record of Microsoft 365 is by its workload. */
export function m365Profile(workload: string): Profile {
  if (/^SecurityComplianceCenter$|^ThreatIntelligence$/i.test(workload)) return m365Threats;
  return /^Exchange$/i.test(workload) ? m365Exchange : m365;
}

export const okta: Profile = {
  source: 'okta',
  head: {
    time: ['published'],
    computer: ['client.ipAddress'],
    service: 'Okta',
    event: ['eventType'],
    record: ['uuid'],
  },
};

export const kubernetes: Profile = {
  source: 'kubernetes',
  aliases: {
    apigroup: ['objectRef.apiGroup'],
    hostpath: ['requestObject.spec.volumes.hostPath', 'requestObject.spec.template.spec.volumes.hostPath'],
    capabilities: [
      'requestObject.spec.containers.securityContext.capabilities',
      'requestObject.spec.template.spec.containers.securityContext.capabilities',
    ],
  },
  head: {
    time: ['requestReceivedTimestamp', 'stageTimestamp', 'timestamp'],
    computer: ['sourceIPs', 'objectRef.namespace'],
    service: 'kubernetes audit',
    event: ['verb'],
    record: ['auditID'],
  },
};

export const github: Profile = {
  source: 'github',
  head: {
    time: ['@timestamp', 'created_at'],
    computer: ['actor_ip', 'org'],
    service: 'GitHub',
    event: ['action'],
    record: ['_document_id'],
  },
};

export const bitbucket: Profile = {
  source: 'bitbucket',
  head: {
    time: ['timestamp', 'creationDate', 'createdDate'],
    computer: ['source', 'node'],
    service: 'Bitbucket',
    channel: ['auditType.category'],
    event: ['auditType.action'],
  },
};

export const opencanary: Profile = {
  source: 'opencanary',
  head: {
    time: ['utc_time', 'local_time_adjusted', 'local_time'],
    computer: ['node_id', 'dst_host'],
    service: 'OpenCanary',
    event: ['logtype'],
  },
};

export const duo: Profile = {
  source: 'duo',
  head: {
    time: ['isotimestamp', 'timestamp'],
    computer: ['access_device.ip', 'access_device.hostname'],
    service: 'Duo',
    event: ['event_type', 'action'],
    record: ['txid'],
  },
};

export const onelogin: Profile = {
  source: 'onelogin',
  head: {
    time: ['created_at', 'event_timestamp'],
    computer: ['ipaddr'],
    service: 'OneLogin',
    event: ['event_type_id'],
    record: ['id'],
  },
};

export const qualys: Profile = {
  source: 'qualys',
  head: { time: anyTime, computer: ['host.name', 'host.ip'], service: 'Qualys', event: ['event.category'] },
};
