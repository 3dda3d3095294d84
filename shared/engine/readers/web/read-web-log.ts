import type { ColumnEvent } from '../columns/column-event.ts';
import { type LineParser, lineReader } from '../columns/line-reader.ts';
import { readObjects } from '../objects/read-objects.ts';
import type { Reader } from '../reader.ts';
import { isJson } from '../objects/is-json.ts';
import { AccessLine, accessLayout } from './access-line.ts';
import { isDirective, W3cLine } from './w3c-line.ts';

/** Lines of web servers and proxies: those that follow a `#Fields` line, or IIS’s first one, by it, others by their form. */
class WebLine implements LineParser {
  readonly #w3c = new W3cLine();
  readonly #access = new AccessLine();

  parse(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record' | 'skip' | 'malformed' {
    const isW3c = this.#w3c.isBegun || isDirective(bytes, start) || this.#w3c.begins(bytes, start, end);
    const parser = isW3c ? this.#w3c : this.#access;
    return parser.parse(event, bytes, start, end, offset);
  }
}

const readLines = lineReader(() => new WebLine(), accessLayout);

/** Reads access and error logs of web servers, proxies and load balancers (web_access), as text or as JSON. */
export const readWebLog: Reader = async (source, tables, visit, options) =>
  (await isJson(source)) ? readObjects(source, tables, visit, options) : readLines(source, tables, visit, options);
