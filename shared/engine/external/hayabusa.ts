import type { JsonObject, JsonValue } from '../readers/json/json-value.ts';
import { isObject } from '../readers/json/json-value.ts';
import { channelOf, fieldNamer } from './hayabusa-names.ts';
import { resultTime } from './result-time.ts';
import { tacticTag, techniqueTag } from './sigma-tags.ts';
import type { ToldMatch } from './told-match.ts';
import { severityOf } from './told-rule.ts';
import { textOf, textsOf } from './values.ts';

/** Values that stand for none. */
const none = new Set(['', '-', 'n/a']);
/** The broken bar is escaped: bundles are read as text of one byte a character, and expressions stay as written. */
const separator = / \u00a6 |\r?\n|\t/;

/** Whether an object or a row of a table is one of Hayabusa's timelines, of any profile. */
export function isHayabusa(names: ReadonlySet<string>): boolean {
  const isEvent = names.has('Level') && names.has('Computer') && names.has('Channel');
  if (names.has('RuleTitle')) return isEvent;
  return isEvent && names.has('message') && names.has('datetime') && names.has('EvtxFile');
}

const detailKeys = ['AllFieldInfo', 'ExtraFieldInfo', 'Details'] as const;

/** The rows of a timeline in their order, each of which is one event and one rule. */
export class HayabusaTimeline {
  /** What a row has that says `DUP`: the same as the last one that says something. */
  readonly #last = new Map<string, JsonValue>();

  /** Undefined where the row names no rule. */
  match(row: JsonObject): ToldMatch | undefined {
    const details: Record<string, JsonValue> = {};
    for (const key of detailKeys) {
      const value = row[key];
      if (value === undefined) continue;
      if (value !== 'DUP') this.#last.set(key, value);
      details[key] = this.#last.get(key) ?? '';
    }
    return matchOf({ ...row, ...details });
  }
}

function matchOf(row: JsonObject): ToldMatch | undefined {
  const text = (...keys: string[]): string | null => said(textOf(...keys.map((key) => row[key])));
  const title = text('RuleTitle', 'message');
  if (title === null) return undefined;
  const [channel, eventId] = [channelOf(text('Channel')), text('EventID')];
  const timestamp = resultTime(text('Timestamp', 'datetime') ?? '');
  const [computer, recordId] = [text('Computer'), text('RecordID')];
  return {
    rule: {
      engine: 'evtx-timeline',
      id: text('RuleID'),
      title,
      level: severityOf(text('Level') ?? ''),
      tags: tagsOf(row),
      author: text('RuleAuthor'),
    },
    head: { timestamp, computer, channel, eventId, recordId },
    event: {
      ...fieldsOf(row, channel, eventId),
      ...filled({ Provider_Name: text('Provider'), Channel: channel, Computer: computer }),
      ...(eventId !== null && { EventID: /^\d{1,9}$/.test(eventId) ? Number(eventId) : eventId }),
      ...filled({ EventRecordID: recordId, TimeCreated_SystemTime: timestamp }),
    },
  };
}

function tagsOf(row: JsonObject): string[] {
  const tactics = listOf(row.MitreTactics).map(tacticTag);
  const techniques = [...listOf(row.MitreTags), ...listOf(row.OtherTags)].map(techniqueTag);
  return [...new Set([...tactics, ...techniques])];
}

/** The values of the event under the names that Windows has for them; what is whole comes before what a rule picked. */
function fieldsOf(row: JsonObject, channel: string | null, eventId: string | null): JsonObject {
  const fields = new Map<string, JsonValue>();
  const rename = fieldNamer(channel, eventId);
  for (const key of detailKeys) {
    for (const [name, value] of pairsOf(row[key])) {
      const renamed = rename(name);
      if (!fields.has(renamed)) fields.set(renamed, value);
    }
  }
  return Object.fromEntries(fields);
}

function pairsOf(details: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (isObject(details)) {
    return Object.entries(details).flatMap(([name, value]) => (isSaid(value) ? [[name, value] as const] : []));
  }
  const text = textOf(details);
  if (said(text) === null) return [];
  const pairs = text!.split(separator).map((part): [string, string] => {
    const colon = part.indexOf(':');
    return colon <= 0 ? ['Message', part.trim()] : [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
  });
  return together(pairs);
}

/** A name that comes more than once has all its values. */
function together(pairs: readonly (readonly [string, string])[]): readonly (readonly [string, JsonValue])[] {
  const all = new Map<string, string[]>();
  for (const [name, value] of pairs) if (said(value) !== null) all.set(name, [...(all.get(name) ?? []), value]);
  return [...all].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]);
}

/** Tags of JSON stand in a list, those of a table in one text. */
function listOf(value: JsonValue | undefined): string[] {
  return textsOf(value)
    .flatMap((text) => text.split(/\s*\u00a6\s*|: |\r?\n|\t/))
    .map((text) => text.trim())
    .filter((text) => said(text) !== null);
}

function said(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return none.has(trimmed) ? null : trimmed;
}

function isSaid(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && !(typeof value === 'string' && none.has(value));
}

function filled(values: Readonly<Record<string, string | null>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
