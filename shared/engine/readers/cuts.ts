import { evtxCuts } from './evtx/evtx-cuts.ts';
import type { LogType } from './log-type.ts';
import { isJson } from './objects/is-json.ts';
import type { ByteSource } from './reader.ts';
import { jsonCuts, plainCuts, syslogCuts } from './text/line-cuts.ts';
import { xmlCuts } from './xml/xml-cuts.ts';

/**
 * Finds where ranges of about `size` bytes begin that can be read each by itself; the first begins at 0.
 * Of text that is likely, and whoever read the range before knows: its report's `isOpen`.
 */
export type FindCuts = (source: ByteSource, size: number) => Promise<readonly number[]>;

const finders: Partial<Record<LogType, FindCuts>> = {
  evtx: evtxCuts,
  json_evtx: jsonCuts,
  json_winlogbeat: jsonCuts,
  cloud_audit: jsonCuts,
  json: jsonCuts,
  xml_evtx: xmlCuts,
  syslog: syslogCuts,
  web_access: lineOrJsonCuts,
  zeek: lineOrJsonCuts,
};

async function lineOrJsonCuts(source: ByteSource, size: number): Promise<readonly number[]> {
  return (await isJson(source)) ? jsonCuts(source, size) : plainCuts(source, size);
}

/** How a kind of log is cut into ranges; undefined where it is read in one piece. */
export function cutsFor(logType: LogType): FindCuts | undefined {
  return finders[logType];
}
