import { readResults } from '../external/read-results.ts';
import { readAuditd } from './auditd/read-auditd.ts';
import { readCsv } from './csv/read-csv.ts';
import { readEvtx } from './evtx/evtx-reader.ts';
import { readJournald } from './journald/read-journald.ts';
import { readWindowsJson } from './json/read-windows-json.ts';
import type { LogType, ReadableType } from './log-type.ts';
import { readNetworkLog } from './network/read-network-log.ts';
import { readObjects } from './objects/read-objects.ts';
import type { Reader } from './reader.ts';
import { readSyslog } from './syslog/read-syslog.ts';
import { readWebLog } from './web/read-web-log.ts';
import { readSysmonLinux } from './sysmon-linux/read-sysmon-linux.ts';
import { readEventXml } from './xml/read-event-xml.ts';
import { readZeek } from './zeek/read-zeek.ts';

const readers: Readonly<Record<ReadableType, Reader>> = {
  evtx: readEvtx,
  json_evtx: readWindowsJson,
  json_winlogbeat: readWindowsJson,
  xml_evtx: readEventXml,
  auditd: readAuditd,
  syslog: readSyslog,
  journald: readJournald,
  sysmon_linux: readSysmonLinux,
  cloud_audit: readObjects,
  web_access: readWebLog,
  zeek: readZeek,
  network: readNetworkLog,
  detection_results: readResults,
  csv: readCsv,
  json: readObjects,
};

/** What reads a kind of log; undefined where nothing does. */
export function readerFor(logType: LogType): Reader | undefined {
  return logType === 'unknown' ? undefined : readers[logType];
}
