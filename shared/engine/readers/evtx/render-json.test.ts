import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../../test/support/shared-data.ts';
import { readdirSync, readFileSync } from 'node:fs';
import type { EvtxEvent as WrittenEvent } from '../../testing/evtx-element.ts';
import { evtxEvents } from '../../testing/evtx-events.ts';
import { freshTables, sourceOf, writeEvtx } from '../../testing/index.ts';
import { readEvtx } from './evtx-reader.ts';
import { renderedJson } from './json-renderer.ts';
import { EventJsonWriter } from './render-json.ts';

const spec = { provider: 'P', eventId: 1, time: '2026-03-01T10:00:00Z', channel: 'C', computer: 'W' };

describe('EventJsonWriter', () => {
  it('writes what the renderer of single records gives', async () => {
    const log = fc.array(evtxEvents, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(log, async (events) => {
        // Records of one layout with and without their optional values, so that plans serve more than one.
        const all = events.flatMap((event) => [event, bare(event), event]);
        const { lines, rendered } = await linesOf(writeEvtx(all));
        expect(lines).toEqual(rendered);
        expect(lines).toHaveLength(all.length);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['escapes', '"\\\b\f\n\r\t\u0001\u001f\u007f/', String.raw`"\"\\\b\f\n\r\t\u0001\u001f${'\u007f'}/"`],
    ['characters of two, three and four bytes', 'aé€😀z', '"aé€😀z"'],
    ['unpaired surrogates', 'a\ud800b\udc00', String.raw`"a\ud800b\udc00"`],
  ])('writes %s of a text', async (_, value, json) => {
    const { lines } = await linesOf(writeEvtx([{ ...spec, data: { dText: value } }]));
    expect(lines[0]).toContain(`"dText":${json}`);
  });

  it('writes several values of one name, and unnamed ones, as lists', async () => {
    const items = { type: 'array', of: 'string', items: ['a', '', 'c'] } as const;
    const { lines, rendered } = await linesOf(
      writeEvtx([
        { ...spec, data: { dItems: items } },
        { ...spec, data: [items, 'x'] },
        { ...spec, data: [] },
      ]),
    );
    expect(lines).toEqual(rendered);
    expect(lines[0]).toContain('"dItems":["a","","c"]');
    expect(lines[1]).toContain('"Data":{"#text":["a","","c","x"]}');
  });
});

describeWithSharedData('EventJsonWriter on real logs', () => {
  it('writes what the renderer of single records gives', async () => {
    const folder = sharedData('evtx');
    const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.evtx'));
    let records = 0;
    for (const name of logs.slice(0, 40)) {
      const { lines, rendered } = await linesOf(readFileSync(`${folder}/${name}`));
      expect({ name, lines }).toEqual({ name, lines: rendered });
      records += lines.length;
    }
    expect(records).toBeGreaterThan(0);
  });
});

function bare({ provider, eventId, time, channel, computer, data, layout }: WrittenEvent): WrittenEvent {
  return { provider, eventId, time, channel, computer, ...(data && { data }), ...(layout && { layout }) };
}

async function linesOf(file: Uint8Array): Promise<{ lines: readonly string[]; rendered: readonly string[] }> {
  const writer = new EventJsonWriter();
  const rendered: string[] = [];
  await readEvtx(sourceOf(file), freshTables(), (event) => {
    writer.add(event);
    rendered.push(renderedJson(event.frame));
  });
  const lines = new TextDecoder().decode(writer.take()).split('\n');
  expect(lines.pop()).toBe('');
  return { lines, rendered };
}
