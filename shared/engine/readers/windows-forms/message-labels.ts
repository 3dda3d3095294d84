/** Names of an event's data by the labels of its message, those by the heading that they stand under; '' is none. */
export type MessageLabels = Readonly<Record<string, Readonly<Record<string, string>>>>;

const who = { 'Account Name': 'SubjectUserName', 'Account Domain': 'SubjectDomainName', 'Logon ID': 'SubjectLogonId' };
const subject = { Subject: { 'Security ID': 'SubjectUserSid', ...who } };
const target = { 'Security ID': 'TargetSid', 'Account Name': 'TargetUserName', 'Account Domain': 'TargetDomainName' };
const privileges = { 'Additional Information': { Privileges: 'PrivilegeList' } };
const process = { 'Process ID': 'ProcessId', 'Process Name': 'ProcessName' };
const source = {
  'Workstation Name': 'WorkstationName',
  'Source Network Address': 'IpAddress',
  'Source Port': 'IpPort',
};
const client = { 'Client Address': 'IpAddress', 'Client Port': 'IpPort' };
const authentication = {
  'Logon Process': 'LogonProcessName',
  'Authentication Package': 'AuthenticationPackageName',
  'Transited Services': 'TransmittedServices',
  'Package Name (NTLM only)': 'LmPackageName',
  'Key Length': 'KeyLength',
};
const attributes = {
  'SAM Account Name': 'SamAccountName',
  'Display Name': 'DisplayName',
  'User Principal Name': 'UserPrincipalName',
  'Home Directory': 'HomeDirectory',
  'Home Drive': 'HomePath',
  'Script Path': 'ScriptPath',
  'Profile Path': 'ProfilePath',
  'User Workstations': 'UserWorkstations',
  'Primary Group ID': 'PrimaryGroupId',
  AllowedToDelegateTo: 'AllowedToDelegateTo',
  'Old UAC Value': 'OldUacValue',
  'New UAC Value': 'NewUacValue',
  'SID History': 'SidHistory',
};
const serviceAccount = { 'Service Type': 'ServiceType', 'Service Start Type': 'ServiceStartType' };
const task = { ...subject, 'Task Information': { 'Task Name': 'TaskName', 'Task Content': 'TaskContent' } };
const account = { ...subject, 'Target Account': target, ...privileges };
const member = {
  ...subject,
  Member: { 'Security ID': 'MemberSid', 'Account Name': 'MemberName' },
  Group: { ...target, 'Group Name': 'TargetUserName', 'Group Domain': 'TargetDomainName' },
  ...privileges,
};
const share = {
  ...subject,
  'Network Information': { 'Object Type': 'ObjectType', 'Source Address': 'IpAddress', 'Source Port': 'IpPort' },
  'Share Information': {
    'Share Name': 'ShareName',
    'Share Path': 'ShareLocalPath',
    'Relative Target Name': 'RelativeTargetName',
  },
  'Access Request Information': { 'Access Mask': 'AccessMask' },
};

const loggedOff = {
  Subject: {
    'Security ID': 'TargetUserSid',
    'Account Name': 'TargetUserName',
    'Account Domain': 'TargetDomainName',
    'Logon ID': 'TargetLogonId',
  },
  '': { 'Logon Type': 'LogonType' },
};
const object = {
  'Object Server': 'ObjectServer',
  'Object Type': 'ObjectType',
  'Object Name': 'ObjectName',
  'Handle ID': 'HandleId',
  'Resource Attributes': 'ResourceAttributes',
};
const access = {
  ...subject,
  Object: object,
  'Process Information': process,
  'Access Request Information': { 'Access Mask': 'AccessMask' },
};

/** Labels of Security's messages in English, by event id. */
export const securityLabels: Readonly<Record<string, MessageLabels>> = {
  4624: {
    ...subject,
    '': { 'Logon Type': 'LogonType', 'Impersonation Level': 'ImpersonationLevel' },
    'Logon Information': {
      'Logon Type': 'LogonType',
      'Restricted Admin Mode': 'RestrictedAdminMode',
      'Remote Credential Guard': 'RemoteCredentialGuard',
      'Virtual Account': 'VirtualAccount',
      'Elevated Token': 'ElevatedToken',
    },
    'New Logon': {
      'Security ID': 'TargetUserSid',
      'Account Name': 'TargetUserName',
      'Account Domain': 'TargetDomainName',
      'Logon ID': 'TargetLogonId',
      'Linked Logon ID': 'TargetLinkedLogonId',
      'Network Account Name': 'TargetOutboundUserName',
      'Network Account Domain': 'TargetOutboundDomainName',
      'Logon GUID': 'LogonGuid',
    },
    'Process Information': process,
    'Network Information': source,
    'Detailed Authentication Information': authentication,
  },
  4625: {
    ...subject,
    '': { 'Logon Type': 'LogonType' },
    'Account For Which Logon Failed': {
      'Security ID': 'TargetUserSid',
      'Account Name': 'TargetUserName',
      'Account Domain': 'TargetDomainName',
    },
    'Failure Information': { Status: 'Status', 'Sub Status': 'SubStatus' },
    'Process Information': { 'Caller Process ID': 'ProcessId', 'Caller Process Name': 'ProcessName' },
    'Network Information': source,
    'Detailed Authentication Information': authentication,
  },
  4634: loggedOff,
  4647: loggedOff,
  4648: {
    Subject: { ...subject.Subject, 'Logon GUID': 'LogonGuid' },
    'Account Whose Credentials Were Used': { 'Account Name': 'TargetUserName', 'Account Domain': 'TargetDomainName' },
    'Target Server': { 'Target Server Name': 'TargetServerName', 'Additional Information': 'TargetInfo' },
    'Process Information': process,
    'Network Information': { 'Network Address': 'IpAddress', Port: 'IpPort' },
  },
  4656: access,
  4657: {
    ...subject,
    Object: {
      'Object Name': 'ObjectName',
      'Object Value Name': 'ObjectValueName',
      'Handle ID': 'HandleId',
      'Operation Type': 'OperationType',
    },
    'Process Information': process,
    'Change Information': { 'Old Value': 'OldValue', 'New Value': 'NewValue' },
  },
  4663: access,
  4672: { ...subject, '': { Privileges: 'PrivilegeList' } },
  4688: {
    ...subject,
    'Creator Subject': subject.Subject,
    'Target Subject': {
      'Security ID': 'TargetUserSid',
      'Account Name': 'TargetUserName',
      'Account Domain': 'TargetDomainName',
      'Logon ID': 'TargetLogonId',
    },
    'Process Information': {
      'New Process ID': 'NewProcessId',
      'New Process Name': 'NewProcessName',
      'Token Elevation Type': 'TokenElevationType',
      'Mandatory Label': 'MandatoryLabel',
      'Creator Process ID': 'ProcessId',
      'Creator Process Name': 'ParentProcessName',
      'Process Command Line': 'CommandLine',
    },
  },
  4689: { ...subject, 'Process Information': { ...process, 'Exit Status': 'Status' } },
  4697: {
    ...subject,
    'Service Information': {
      'Service Name': 'ServiceName',
      'Service File Name': 'ServiceFileName',
      ...serviceAccount,
      'Service Account': 'ServiceAccount',
    },
  },
  4698: task,
  4699: task,
  4700: task,
  4701: task,
  4702: { ...subject, 'Task Information': { 'Task Name': 'TaskName', 'Task New Content': 'TaskContentNew' } },
  4720: { ...subject, 'New Account': target, Attributes: attributes, ...privileges },
  4722: account,
  4723: account,
  4724: account,
  4725: account,
  4726: account,
  4728: member,
  4729: member,
  4732: member,
  4733: member,
  4738: { ...account, 'Changed Attributes': attributes },
  4740: {
    ...subject,
    'Account That Was Locked Out': { 'Security ID': 'TargetSid', 'Account Name': 'TargetUserName' },
    // Windows keeps the calling computer under this name.
    'Additional Information': { 'Caller Computer Name': 'TargetDomainName' },
  },
  4756: member,
  4757: member,
  4768: {
    'Account Information': {
      'Account Name': 'TargetUserName',
      'Supplied Realm Name': 'TargetDomainName',
      'User ID': 'TargetSid',
    },
    'Service Information': { 'Service Name': 'ServiceName', 'Service ID': 'ServiceSid' },
    'Network Information': client,
    'Additional Information': {
      'Ticket Options': 'TicketOptions',
      'Result Code': 'Status',
      'Ticket Encryption Type': 'TicketEncryptionType',
      'Pre-Authentication Type': 'PreAuthType',
    },
  },
  4769: {
    'Account Information': {
      'Account Name': 'TargetUserName',
      'Account Domain': 'TargetDomainName',
      'Logon GUID': 'LogonGuid',
    },
    'Service Information': { 'Service Name': 'ServiceName', 'Service ID': 'ServiceSid' },
    'Network Information': client,
    'Additional Information': {
      'Ticket Options': 'TicketOptions',
      'Ticket Encryption Type': 'TicketEncryptionType',
      'Failure Code': 'Status',
      'Transited Services': 'TransmittedServices',
    },
  },
  4771: {
    'Account Information': { 'Security ID': 'TargetSid', 'Account Name': 'TargetUserName' },
    'Service Information': { 'Service Name': 'ServiceName' },
    'Network Information': client,
    'Additional Information': {
      'Ticket Options': 'TicketOptions',
      'Failure Code': 'Status',
      'Pre-Authentication Type': 'PreAuthType',
    },
  },
  4776: {
    '': {
      'Authentication Package': 'PackageName',
      'Logon Account': 'TargetUserName',
      'Source Workstation': 'Workstation',
      'Error Code': 'Status',
    },
  },
  5140: share,
  5145: share,
  5156: {
    'Application Information': { 'Process ID': 'ProcessID', 'Application Name': 'Application' },
    'Network Information': {
      Direction: 'Direction',
      'Source Address': 'SourceAddress',
      'Source Port': 'SourcePort',
      'Destination Address': 'DestAddress',
      'Destination Port': 'DestPort',
      Protocol: 'Protocol',
    },
  },
};

/**
 * What else of a message a value ends before where its lines have been joined: headings and labels that are read for
 * no name, as the events above have them.
 */
export const otherLabels: readonly string[] = [
  'Failure Reason',
  'Account Expires',
  'Password Last Set',
  'Allowed To Delegate To',
  'User Account Control',
  'User Parameters',
  'Logon Hours',
  'Expiration time',
  'Accesses',
  'Access Reasons',
  'Access Check Results',
  'Transaction ID',
  'Privileges Used for Access Check',
  'Restricted SID Count',
  'Old Value Type',
  'New Value Type',
  'Other Information',
  'Certificate Information',
  'Certificate Issuer Name',
  'Certificate Serial Number',
  'Certificate Thumbprint',
  'Filter Information',
  'Filter Origin',
  'Filter Run-Time ID',
  'Interface Index',
  'Layer Name',
  'Layer Run-Time ID',
];

/** How what Windows explains behind the values begins. */
export const explanations: readonly string[] = [
  'This event is generated ',
  'The subject fields indicate ',
  'Token Elevation Type indicates ',
  'Certificate information is only provided ',
  'Pre-authentication types, ',
  'Ticket options, encryption types',
];

/** The message of a cleared Security log. */
export const clearedLabels: MessageLabels = { Subject: { ...subject.Subject, 'Domain Name': 'SubjectDomainName' } };

/** The message of a service that was installed. */
export const serviceLabels: MessageLabels = {
  '': {
    'Service Name': 'ServiceName',
    'Service File Name': 'ImagePath',
    'Service Type': 'ServiceType',
    'Service Start Type': 'StartType',
    'Service Account': 'AccountName',
  },
};

/** What messages say in place of the text's number or the identifier in the event, by the event's name. */
export const spokenValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TokenElevationType: {
    'TokenElevationTypeDefault (1)': '%%1936',
    'TokenElevationTypeFull (2)': '%%1937',
    'TokenElevationTypeLimited (3)': '%%1938',
  },
  ImpersonationLevel: { Identification: '%%1832', Impersonation: '%%1833', Delegation: '%%1840' },
  OperationType: {
    'New registry value created': '%%1904',
    'Existing registry value modified': '%%1905',
    'Registry value deleted': '%%1906',
  },
  Direction: { Inbound: '%%14592', Outbound: '%%14593' },
  ElevatedToken: { Yes: '%%1842', No: '%%1843' },
  VirtualAccount: { Yes: '%%1842', No: '%%1843' },
};
