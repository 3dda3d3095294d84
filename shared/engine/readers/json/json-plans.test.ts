import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../events/log-event.ts';
import { freshTables, sourceOf } from '../../testing/index.ts';
import { jsonObjects, parsedExactly } from '../../testing/json-texts.ts';
import { ObjectEvent } from '../objects/object-event.ts';
import { readObjects } from '../objects/read-objects.ts';
import type { EventTables, Reader } from '../reader.ts';
import { isObject, type JsonObject } from './json-value.ts';
import { flattenRecord, readWindowsJson } from './read-windows-json.ts';
import { WindowsJsonEvent } from './windows-json-event.ts';

/** Few spellings, so that many records have the same keys and differ in values only. */
const filled = ['a', 'B c', 'é"\\', 'Microsoft-Windows-Sysmon', '\ud83d\ude00', 'PowerShell', '0x10', 'x'.repeat(9000)];
const text = fc.constantFrom('', ...filled);
const scalar = fc.oneof(text, fc.integer(), fc.constantFrom(null, null, true, 1.5, 1e30, -0));
const nested = fc.oneof(
  fc.record({ '#text': scalar, '#attributes': fc.record({ Name: text, Other: scalar }, { requiredKeys: [] }) }),
  fc.record({ '#text': scalar, Inner: scalar }, { requiredKeys: [] }),
  fc.array(scalar, { maxLength: 3 }),
  fc.array(fc.record({ '#attributes': fc.record({ Name: text }), '#text': scalar }), { maxLength: 3 }),
);
const value = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: nested });
const name = fc.constantFrom('Image', 'image', 'CommandLine', 'Data', 'User', 'X', 'X_1', 'A b', 'Message', 'Channel');
const values = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
const attributes = (inner: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  inner.map((each) => ({ '#attributes': each }));
const provider = fc.constantFrom('Microsoft-Windows-Sysmon', 'PowerShell', '', null);
const system = fc.record(
  {
    Provider: attributes(fc.record({ Name: provider, Guid: text })),
    EventID: fc.oneof(fc.nat({ max: 3 }), fc.record({ '#text': fc.nat({ max: 3 }), '#attributes': values }), scalar),
    Channel: fc.constantFrom('Security', 'Windows PowerShell', null),
    Computer: text,
    EventRecordID: fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
    TimeCreated_attributes: fc.record({ SystemTime: text }),
  },
  { requiredKeys: ['Provider'] },
);
const event = fc.record(
  {
    System: system,
    EventData: fc.oneof(values, fc.constant(null)),
    UserData: fc.dictionary(fc.constantFrom('Root', 'Other'), value, { maxKeys: 2, noNullPrototype: true }),
    RenderingInfo: fc.record({ Message: text, Keywords: fc.record({ Keyword: value }), Level: text }),
  },
  { requiredKeys: ['System'] },
);
const shipped = fc.record(
  {
    winlog: fc.record(
      {
        provider_name: provider,
        event_id: fc.constantFrom('1', 6, '7', '4688', null),
        channel: text,
        event_data: values,
        user_data: fc.record({ xml_name: text, Image: value }, { requiredKeys: [] }),
      },
      { requiredKeys: ['provider_name'] },
    ),
    event: fc.record({ code: text, provider }),
    user: fc.record({ name: scalar, domain: scalar }, { requiredKeys: [] }),
    process: fc.record({ executable: scalar, command_line: value, hash: fc.record({ md5: scalar }) }),
    message: value,
    'host.name': text,
  },
  { requiredKeys: ['winlog'] },
);
const windows = fc.oneof(
  event.map((given) => ({ Event: given })),
  event,
  values,
  shipped,
  shipped.map((given) => ({ _source: given })),
);
const audit = fc.oneof(
  values,
  fc.record(
    {
      operationName: fc.oneof(text, fc.record({ value: scalar, localizedValue: text })),
      category: fc.constantFrom('AuditLogs', 'SignInLogs', 'RiskEvents', null, ''),
      properties: fc.record({ result: value, status: fc.array(values, { maxLength: 2 }) }, { requiredKeys: [] }),
      AuditData: fc.oneof(
        values,
        values.map((inner) => ` ${JSON.stringify(inner)}`),
        text,
      ),
      protoPayload: fc.record({ serviceName: fc.constantFrom('login.googleapis.com', 'compute', 1) }),
      _path: fc.constantFrom('dns', 'http', 1),
      ts: scalar,
    },
    { requiredKeys: [] },
  ),
);
const fields = [
  'Image',
  'CommandLine',
  'Data',
  'User',
  'X',
  'A_b',
  'Message',
  'EventID',
  'Provider_Name',
  'Hashes',
  'Inner',
  'ts',
  'properties.result',
  'properties.status.image',
  'operationName',
  'Root.Image',
  'Data_Other',
  'a',
  'b',
  'query',
  'c-uri',
];

describe('JsonPlans', () => {
  it.each([
    ['Windows events', windows.map(alike), readWindowsJson, windowsTaker],
    ['records of services', audit.map(alike), readObjects, objectTaker],
    ['any objects as Windows events', fc.array(jsonObjects), readWindowsJson, windowsTaker],
    ['any objects', fc.array(jsonObjects), readObjects, objectTaker],
  ] as const)('give of %s what each by itself would', async (_, given, reader, taker) => {
    await fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 5 }), async (texts) => {
        // A line break within a record may be taken for its end.
        const lines = texts.flat().map((each) => each.replaceAll(/[\r\n]/g, ' '));
        expect(await read(reader, lines)).toEqual(one(taker, lines));
      }),
      { numRuns: 150 },
    );
  });
});

/** Records with the same keys and nesting as JSON, the values of which differ. */
function alike(record: object): string[] {
  return [0, 1, 2, 0].map((by) => JSON.stringify(record, (_, given: unknown) => changed(given, by)));
}

function changed(given: unknown, by: number): unknown {
  if (typeof given === 'number') return given + by;
  const at = filled.indexOf(given as string);
  return at < 0 ? given : filled[(at + by) % filled.length];
}

async function read(reader: Reader, lines: readonly string[]): Promise<unknown[]> {
  const tables = freshTables();
  const seen: unknown[] = [];
  await reader(sourceOf(new TextEncoder().encode(lines.join('\n'))), tables, (each) =>
    seen.push(answers(each, tables)),
  );
  return seen;
}

type Taker = (tables: EventTables) => (record: JsonObject, offset: number) => LogEvent;

function windowsTaker(tables: EventTables): ReturnType<Taker> {
  const taken = new WindowsJsonEvent(tables, flattenRecord);
  return (record, offset) => {
    taken.take(record, offset);
    return taken;
  };
}

function objectTaker(tables: EventTables): ReturnType<Taker> {
  const taken = new ObjectEvent(tables);
  return (record, offset) => {
    taken.take(innermost(record), offset);
    return taken;
  };
}

/** What stands under the names by which exports hold a record, as text or not. */
function innermost(record: JsonObject): JsonObject {
  for (const key of ['CloudTrailEvent', 'AuditData', '_source', 'auditData']) {
    const inner = record[key];
    if (isObject(inner)) return inner;
    const opened = typeof inner === 'string' ? parsedExactly(inner.trim()) : undefined;
    if (opened !== undefined) return opened;
  }
  return record;
}

function one(taker: Taker, lines: readonly string[]): unknown[] {
  return lines.map((line) => {
    const tables = freshTables();
    return answers(taker(tables)(parsedExactly(line)!, 0), tables);
  });
}

/** All that an event says, but for where it is. */
function answers(each: LogEvent, { values: table, fields: names }: EventTables): unknown {
  const textsOf = (id: number): unknown => table.items(id)?.map(textsOf) ?? (id <= 2 ? id : table.text(id));
  const keywords: unknown[] = [];
  each.keywords((id) => keywords.push(textsOf(id)) < 0);
  const { _offset, ...record } = each.toRecord();
  const { channel, provider: source, eventId, facts } = each.route;
  return {
    record,
    head: each.head(),
    route: { channel, source, eventId, facts },
    keywords,
    values: fields.map((field) => textsOf(each.value(names.id(field)))),
  };
}
