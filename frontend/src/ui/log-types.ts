import type { LogType } from '@svc/domain';

/** Names of log types for narrow columns; the full ones (domain) are on hover. */
export const shortTypes: Readonly<Record<LogType, string>> = {
  evtx: 'EVTX',
  json_evtx: 'Windows JSON',
  json_winlogbeat: 'Winlogbeat',
  xml_evtx: 'Windows XML',
  auditd: 'auditd',
  syslog: 'Syslog',
  journald: 'journald',
  sysmon_linux: 'Sysmon Linux',
  cloud_audit: 'Cloud audit',
  web_access: 'Web',
  zeek: 'Zeek',
  network: 'Network',
  detection_results: 'Results',
  csv: 'CSV',
  json: 'JSON',
  unknown: 'Unknown',
};
