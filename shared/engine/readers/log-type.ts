/** Kinds of log that the service knows (resolved-platform 1); each detected by content only. */
export const logTypes = [
  'evtx',
  'json_evtx',
  'json_winlogbeat',
  'xml_evtx',
  'auditd',
  'syslog',
  'journald',
  'sysmon_linux',
  'unknown',
] as const;

export type LogType = (typeof logTypes)[number];
