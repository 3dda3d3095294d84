import type { LogSetting } from './log-setting.ts';

/** Where Windows' policies of security are edited. */
export const policy = 'Group policy: Computer Configuration › Policies › Windows Settings › Security Settings ›';
const auditPolicy = `${policy} Advanced Audit Policy Configuration`;

/** An audit subcategory of Windows; the command takes its English name. */
function audit(key: string, name: string, under: string, events: readonly number[], ...more: string[]): LogSetting {
  return {
    key,
    title: `Audit: ${name}`,
    platform: 'Windows',
    logs: [{ channel: 'Security', events }],
    how: [
      `auditpol /set /subcategory:"${name}" /success:enable /failure:enable`,
      `${auditPolicy} › ${under} › Audit ${name}`,
      ...more,
    ],
  };
}

/** The Security log: what of it Windows writes by default, and the audit subcategories for the rest. */
export const securityAudit: readonly LogSetting[] = [
  {
    ...audit(
      'security',
      'Logon',
      'Logon/Logoff',
      [
        1102, 4608, 4616, 4624, 4625, 4634, 4647, 4648, 4672, 4704, 4706, 4713, 4716, 4717, 4719, 4720, 4722, 4723,
        4724, 4725, 4726, 4728, 4732, 4735, 4738, 4739, 4740, 4741, 4742, 4743, 4756, 4765, 4766, 4767, 4776, 4778,
        4779, 4781, 4794, 4826, 4865, 4867, 4912, 4964,
      ],
    ),
    title: 'Security log: logons, accounts, groups and policy changes',
    how: [
      'Windows writes these by default, on servers more than on clients. Collect the Security log, for instance with',
      'wevtutil export-log Security security.evtx',
      `Switch on what is off: ${auditPolicy} › Logon/Logoff, Account Management, Policy Change`,
    ],
    isDefault: true,
  },
  audit(
    'process-creation',
    'Process Creation',
    'Detailed Tracking',
    [4688],
    'With the command line, which most rules ask for:',
    String.raw`reg add HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System\Audit /v ProcessCreationIncludeCmdLine_Enabled /t REG_DWORD /d 1 /f`,
    'Command lines hold secrets at times: restrict who may read the Security log.',
  ),
  audit('process-termination', 'Process Termination', 'Detailed Tracking', [4689]),
  audit(
    'group-reading',
    'Security Group Management',
    'Account Management',
    [4799],
    'Written by Windows 10, Server 2016 and later.',
  ),
  audit(
    'user-reading',
    'User Account Management',
    'Account Management',
    [4798],
    'Written by Windows 10, Server 2016 and later.',
  ),
  audit(
    'scheduled-tasks',
    'Other Object Access Events',
    'Object Access',
    [4691, 4698, 4699, 4700, 4701, 4702],
    'Creation and change of scheduled tasks, with their content; few records.',
  ),
  audit('file-share', 'File Share', 'Object Access', [5140, 5142, 5143, 5144]),
  audit(
    'detailed-file-share',
    'Detailed File Share',
    'Object Access',
    [5145],
    'Many records on file servers; worth it on domain controllers and servers with few shares.',
  ),
  audit(
    'handles',
    'Kernel Object',
    'Object Access',
    [4656, 4658, 4663, 4690],
    'auditpol /set /subcategory:"Handle Manipulation" /success:enable',
    'auditpol /set /subcategory:"File System" /success:enable /failure:enable',
    'Files and keys are only told of where an audit rule (SACL) asks for it.',
  ),
  audit(
    'registry',
    'Registry',
    'Object Access',
    [4657],
    'Only for keys with an audit rule (SACL): set one on Run keys, services and LSA. Sysmon tells of more with less work.',
  ),
  audit('sam', 'SAM', 'Object Access', [4661]),
  audit('privilege-use', 'Sensitive Privilege Use', 'Privilege Use', [4673, 4674, 4985]),
  audit('token-rights', 'Token Right Adjusted', 'Detailed Tracking', [4703]),
  audit('plug-and-play', 'PNP Activity', 'Detailed Tracking', [6416, 6419, 6420, 6421, 6422, 6423, 6424]),
  audit(
    'system-extension',
    'Security System Extension',
    'System',
    [4610, 4611, 4614, 4622, 4697],
    'New services, and what is loaded into LSA; few records.',
  ),
  audit(
    'filtering-connection',
    'Filtering Platform Connection',
    'Object Access',
    [5156, 5157, 5158],
    'Very many records.',
  ),
  audit('firewall-rules', 'MPSSVC Rule-Level Policy Change', 'Policy Change', [4946, 4947, 4948, 4949, 4950]),
  audit('ipsec-driver', 'Filtering Platform Policy Change', 'Policy Change', [5441, 5442, 5447]),
  {
    ...audit(
      'kerberos',
      'Kerberos Authentication Service',
      'Account Logon',
      [4768, 4771],
      'auditpol /set /subcategory:"Kerberos Service Ticket Operations" /success:enable /failure:enable',
    ),
    title: 'Audit: Kerberos tickets',
    platform: 'Domain controllers',
    logs: [{ channel: 'Security', events: [4649, 4768, 4769, 4770, 4771, 4773] }],
  },
  {
    ...audit(
      'directory-access',
      'Directory Service Access',
      'DS Access',
      [4662],
      'Only for objects with an audit rule (SACL): on the domain head, Everyone, replication rights and GUIDs of interest.',
    ),
    platform: 'Domain controllers',
  },
  {
    ...audit('directory-changes', 'Directory Service Changes', 'DS Access', [5136, 5137, 5138, 5139, 5141]),
    platform: 'Domain controllers',
  },
  {
    ...audit(
      'certification',
      'Certification Services',
      'Object Access',
      [4870, 4876, 4882, 4885, 4886, 4887, 4888, 4890, 4891, 4892, 4898, 4899, 4900],
      'On the certification authority, with all of its own events:',
      String.raw`certutil -setreg CA\AuditFilter 127`,
      'net stop certsvc && net start certsvc',
    ),
    platform: 'Domain controllers',
  },
];
