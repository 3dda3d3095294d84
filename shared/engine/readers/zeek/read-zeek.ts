import { Layout } from '../columns/layout.ts';
import { lineReader } from '../columns/line-reader.ts';
import { zeekProfile } from '../named/network-profiles.ts';
import { isJson } from '../objects/is-json.ts';
import { readObjects } from '../objects/read-objects.ts';
import type { Reader } from '../reader.ts';
import { ZeekLine } from './zeek-line.ts';

const readTsv = lineReader(() => new ZeekLine(), new Layout([], zeekProfile('')));

/** Reads the logs of Zeek, as it writes them: tab-separated with a header, or JSON. */
export const readZeek: Reader = async (source, tables, visit, options) =>
  (await isJson(source)) ? readObjects(source, tables, visit, options) : readTsv(source, tables, visit, options);
