/** Kinds of log and their names in the interface (resolved-platform 1). */
export const logTypes = [
  'evtx',
  'json_evtx',
  'json_winlogbeat',
  'xml_evtx',
  'auditd',
  'syslog',
  'journald',
  'sysmon_linux',
  'cloud_audit',
  'web_access',
  'zeek',
  'network',
  'detection_results',
  'csv',
  'json',
  'unknown',
] as const;

export type LogType = (typeof logTypes)[number];

export const logTypeLabels: Readonly<Record<LogType, string>> = {
  evtx: 'Windows Event Log (EVTX)',
  json_evtx: 'Windows events (JSON)',
  json_winlogbeat: 'Windows events (Winlogbeat JSON)',
  xml_evtx: 'Windows event XML',
  auditd: 'Linux audit log (auditd)',
  syslog: 'Syslog',
  journald: 'systemd journal',
  sysmon_linux: 'Sysmon for Linux',
  cloud_audit: 'Cloud and service audit log (JSON)',
  web_access: 'Web server or proxy log',
  zeek: 'Zeek log',
  network: 'Firewall, appliance or service log',
  detection_results: 'Results of a detection engine',
  csv: 'Table (CSV)',
  json: 'JSON records',
  unknown: 'Unknown',
};

/** Suffix of the stored object; the submitted name never appears in a key. */
export const storedSuffix: Readonly<Record<LogType, string>> = {
  evtx: '.evtx',
  json_evtx: '.json',
  json_winlogbeat: '.json',
  xml_evtx: '.xml',
  auditd: '.log',
  syslog: '.log',
  journald: '.log',
  sysmon_linux: '.log',
  cloud_audit: '.json',
  web_access: '.log',
  zeek: '.log',
  network: '.log',
  detection_results: '.txt',
  csv: '.csv',
  json: '.json',
  unknown: '.bin',
};
