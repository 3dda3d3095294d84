/**
 * Kinds of log that the service knows (resolved-platform 1), each detected by content only. Those from
 * `cloud_audit` on are added ones, which claim only what that section calls `unknown`.
 */
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
export type ReadableType = Exclude<LogType, 'unknown'>;

/** Kinds of log that can be read. */
export const readableTypes: readonly ReadableType[] = logTypes.filter((type) => type !== 'unknown');
