import { isTable } from './csv/csv-fields.ts';
import { JsonFramer } from './json/json-framer.ts';
import { givenTree, isLeaf, type JsonTree } from './json/json-tree.ts';
import type { LogType } from './log-type.ts';
import { tableProfile } from './log-analytics/table-profiles.ts';
import { ObjectPlan } from './objects/object-plan.ts';
import { ObjectRecords } from './objects/object-records.ts';
import { panOsBegin } from './network/pan-os.ts';
import { cloudProfile, zeekProfileOf } from './objects/signatures.ts';
import { windowsEventOf } from './windows-forms/forms.ts';
import { iisLine } from './web/w3c-line.ts';
import { wrapperKeys } from './objects/wrappers.ts';

/** Sources of records that services of clouds write. */
const cloudSources = /^(?:azure|cloudtrail|m365|defenderOther)/;

const accessTime = /\[\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d/;
const loadBalancer = /^(?:https?|h2|grpcs?|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z \S+ /;
const squid = /^\d{9,10}\.\d{3}\s+-?\d+ \S+ [A-Z_]+\/\d{3} /;
const apacheError = /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} [\d:.]+ \d{4}\] \[/;
const nginxError = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[\w+\] \d+#/;
const webLines = [accessTime, loadBalancer, squid, apacheError, nginxError, iisLine];

const commonFormats = /(?:^|\s)(?:CEF:[01]|LEEF:[12]\.0)\|/;
/** Snare’s and WinCollect’s lines without a head of the system log. */
const windowsLine =
  /^(?:<\d{1,3}>)?(?:[\w.-]+(?:[\t ]|#011))?MSWinEventLog(?:\t|#011)|^(?:<\d{1,3}>)?AgentDevice=\S+?[\t ]AgentLogFile=/;
const keyValues = /^(?:<\d{1,3}>)?\s*(?:[\w.-]+=(?:"[^"]*"|[^\s"]*)\s+){3}[\w.-]+=/;
const ciscoMessage = /(?:^|\s)%[A-Z][A-Z0-9_]+-\d-[A-Z0-9_]+:/;
const ftpServer = /^\w{3} \w{3} +\d{1,2} [\d:]{8} \d{4} \[pid \d+\] /;
const networkLines = [commonFormats, windowsLine, keyValues, ciscoMessage, ftpServer];

/** A message of the system log after its length. */
const countedMessage = /^\d{1,5} <\d{1,3}>/;
const rowOnLine = /^\{[^\n]*\}\r?(?:\n|$)/;
const zeekHeader = /^#(?:separator \\x|fields\t)/;
const w3cFields = /^#Fields:\s/;
/** Exchange's logs, whose columns are apart by commas. */
const commaFields = /^#Fields:\s*[\w-]+,/;
const firewallFields = /^#Fields:.*\ssrc-ip\s+dst-ip\b/;

/** Kind of a log that the table of resolved-platform 1 calls `unknown`, by the text it begins with. */
export function detectAddedType(text: string, sample: readonly string[]): LogType {
  if (/^\s*(?:\[\s*)?\{/.test(text)) return jsonType(text);
  const some = (...patterns: RegExp[]): boolean => sample.some((line) => patterns.some((one) => one.test(line)));
  if (countedMessage.test(text)) return 'syslog';
  if (some(zeekHeader)) return 'zeek';
  if (some(commaFields)) return isTable(sample) ? 'csv' : 'unknown';
  if (some(w3cFields)) return some(firewallFields) ? 'network' : 'web_access';
  if (some(...webLines)) return 'web_access';
  if (some(...networkLines) || panOsBegin(sample[0] ?? '') !== undefined) return 'network';
  return isTable(sample) ? 'csv' : 'unknown';
}

/** Whether the first record holds a Windows event in the form of a tool that has an agent of its own, as Wazuh has. */
export function beginsWithForm(text: string): boolean {
  const plan = firstPlan(new TextEncoder().encode(text));
  return plan !== undefined && windowsEventOf(plan.wrapper) !== undefined;
}

/** By the keys of the first record; those that are there, where the text ends within it. */
function jsonType(text: string): LogType {
  const plan = firstPlan(new TextEncoder().encode(text));
  if (plan === undefined) return 'unknown';
  const record = plan.tree;
  // Rows of Sentinel's table of messages, which its users fill with Sysmon for Linux.
  const { SyslogMessage: message } = record;
  if (isLeaf(message) && message.isString && rowOnLine.test(text)) return 'sysmon_linux';
  if (windowsEventOf(plan.wrapper) !== undefined) return 'json_evtx';
  const table = tableProfile(record, plan.wrapper);
  if (table !== undefined) return cloudSources.test(table.source) ? 'cloud_audit' : 'json';
  const cloud = cloudProfile(record);
  if (cloud !== undefined) return cloud.source === 'webserver' ? 'web_access' : 'cloud_audit';
  return zeekProfileOf(record) === undefined ? 'json' : 'zeek';
}

function firstPlan(bytes: Uint8Array): ObjectPlan | undefined {
  let isDamaged = false;
  const records = new ObjectRecords();
  const framer = new JsonFramer(() => (isDamaged = true), wrapperKeys, records.scan);
  const isWhole = framer.next(bytes);
  if (isDamaged) return undefined;
  if (!isWhole) {
    const begun = begunRecord(new TextDecoder().decode(bytes.subarray(framer.keep)));
    return begun && new ObjectPlan(begun);
  }
  return framer.isScanned || records.scan.scan(bytes, framer.start) ? records.plan() : undefined;
}

/** The keys of an object that the text ends within, each with its value where that is a string. */
function begunRecord(text: string): JsonTree | undefined {
  if (!text.startsWith('{')) return undefined;
  const record: Record<string, string> = {};
  // A string may end with the text, so that no quote is ever tried twice.
  const token = /"((?:[^"\\]|\\.?)*)(?:"(?:\s*:\s*(?:"([^"\\]*)")?)?|$)|[{}[\]]/gs;
  let depth = 0;
  for (const [whole, key, value] of text.matchAll(token)) {
    if (key === undefined) depth += whole === '{' || whole === '[' ? 1 : -1;
    else if (depth === 1) record[key] = value ?? '';
  }
  return givenTree(record);
}
