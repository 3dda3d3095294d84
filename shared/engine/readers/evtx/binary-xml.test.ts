import { describe, expect, it } from 'vitest';
import type { OutputRecord } from '../../events/log-event.ts';
import type { ReadReport } from '../reader.ts';
import { ByteWriter, utf16 } from '../../testing/byte-writer.ts';
import { freshTables, sourceOf, type XmlContent, type XmlElement, writeEvtx } from '../../testing/index.ts';
import { readEvtx } from './evtx-reader.ts';
import { eventJson } from './render-json.ts';
import { eventXml } from './render-xml.ts';

/** What one record comes to in each form. */
interface Forms {
  readonly xml: string;
  readonly json: unknown;
  readonly record: OutputRecord;
}

const layouts = ['nested', 'direct', 'plain'] as const;

describe('tokens, as Windows writes them', () => {
  const contents: { content: (XmlContent | XmlElement)[]; xml: string; text: string | undefined; why: string }[] = [
    { content: ['text'], xml: '<Leaf>text</Leaf>', text: 'text', why: 'text' },
    { content: [], xml: '<Leaf/>', text: undefined, why: 'an empty element' },
    { content: [''], xml: '<Leaf></Leaf>', text: undefined, why: 'an empty text' },
    { content: ['a', 'b'], xml: '<Leaf>ab</Leaf>', text: 'ab', why: 'texts one after another' },
    { content: [{ cdata: '<a & b>' }], xml: '<Leaf>&lt;a &amp; b&gt;</Leaf>', text: '<a & b>', why: 'CDATA' },
    { content: ['a', { charRef: 0x20ac }, 'b'], xml: '<Leaf>a€b</Leaf>', text: 'a€b', why: 'a character reference' },
    {
      content: [{ entity: 'amp' }, { entity: 'lt' }, { entity: 'gt' }, { entity: 'quot' }, { entity: 'apos' }],
      xml: `<Leaf>&amp;&lt;&gt;&quot;'</Leaf>`,
      text: `&<>"'`,
      why: 'known entities',
    },
    { content: ['a', { entity: 'nbsp' }], xml: '<Leaf>a&amp;nbsp;</Leaf>', text: 'a&nbsp;', why: 'another entity' },
    {
      content: [{ instruction: 'go', data: 'there' }, 'x'],
      xml: '<Leaf><?go there?>x</Leaf>',
      text: 'x',
      why: 'a processing instruction',
    },
    { content: [{ slot: 'v' }], xml: '<Leaf>v</Leaf>', text: 'v', why: 'a value' },
    { content: ['a', { slot: 'v' }, 'b'], xml: '<Leaf>avb</Leaf>', text: 'avb', why: 'a value among text' },
    { content: [' '], xml: '<Leaf> </Leaf>', text: ' ', why: 'a blank, which is a text too' },
  ];

  describe.each(layouts)('in a %s record', (layout) => {
    it.each(contents)('$why', async ({ content, xml, text }) => {
      const forms = await userData({ name: 'Leaf', children: content }, layout);
      expect(forms.xml).toBe(`<Root>${xml}</Root>`);
      expect(forms.record.Leaf).toBe(text);
      expect(forms.json).toEqual({ Root: { Leaf: text ?? null } });
    });

    it('attributes', async () => {
      const attributes = { fixed: 'f', value: { slot: 'v' }, entity: { entity: 'quot' } } as const;
      const forms = await userData({ name: 'Leaf', attributes, children: ['text'] }, layout);
      expect(forms.xml).toBe('<Root><Leaf fixed="f" value="v" entity="&quot;">text</Leaf></Root>');
      expect(forms.record).toMatchObject({ Leaf: 'text', Leaf_fixed: 'f', Leaf_value: 'v', Leaf_entity: '"' });
      expect(forms.json).toEqual({
        Root: { Leaf: { '#attributes': { fixed: 'f', value: 'v', entity: '"' }, '#text': 'text' } },
      });
    });

    it('mixed content and repeated names', async () => {
      const forms = await userData({ name: 'Leaf', children: ['a', { name: 'b' }, 'c', { name: 'b' }] }, layout);
      expect(forms.xml).toBe('<Root><Leaf>a<b/>c<b/></Leaf></Root>');
      expect(forms.record.Leaf).toBe('ac');
      expect(forms.json).toEqual({ Root: { Leaf: { '#text': 'ac', b: null, b_1: null } } });
    });

    it('blanks between elements, which are no text', async () => {
      const forms = await userData({ name: 'Leaf', children: ['\n  ', { name: 'b', children: ['x'] }, '\n'] }, layout);
      expect(forms.record).not.toHaveProperty('Leaf');
      expect(forms.record).toMatchObject({ b: 'x' });
      expect(forms.json).toEqual({ Root: { Leaf: { b: 'x' } } });
    });
  });

  it('repeats the element around an array, and joins it in an attribute', async () => {
    const slot = { type: 'array', of: 'uint16', items: [1, 2] } as const;
    const forms = await userData({ name: 'Leaf', attributes: { a: { slot } }, children: [{ slot }] }, 'nested');
    expect(forms.xml).toBe('<Root><Leaf a="1,2">1</Leaf><Leaf a="1,2">2</Leaf></Root>');
    expect(forms.record).toMatchObject({ Leaf: [1, 2], Leaf_a: [1, 2] });
  });

  it('repeats the text around an array with it', async () => {
    const slot = { type: 'array', of: 'string', items: ['x', 'y'] } as const;
    const forms = await userData({ name: 'Leaf', children: ['<', { slot }, '>'] }, 'nested');
    expect(forms.xml).toBe('<Root><Leaf>&lt;x&gt;</Leaf><Leaf>&lt;y&gt;</Leaf></Root>');
    expect(forms.record.Leaf).toEqual(['<x>', '<y>']);
    expect(forms.json).toEqual({ Root: { Leaf: '<x>', Leaf_1: '<y>' } });
  });

  it('opens templates within templates', async () => {
    const inner = { name: 'Inner', children: [{ slot: 'deep' }] };
    const outer = { name: 'Outer', children: [{ slot: 1 }, { nested: inner }] };
    const forms = await userData({ name: 'Leaf', children: [{ nested: outer }] }, 'nested');
    expect(forms.xml).toBe('<Root><Leaf><Outer>1<Inner>deep</Inner></Outer></Leaf></Root>');
    expect(forms.record).toMatchObject({ Outer: 1, Inner: 'deep' });
  });

  it('keeps apart records whose nested templates differ', async () => {
    const events = ['A', 'B', 'A'].map((name) => ({
      ...spec,
      userData: { name: 'Root', children: [{ nested: { name, children: [{ slot: name.toLowerCase() }] } }] },
    }));
    const { forms } = await read(writeEvtx(events));
    expect(forms.map(({ record }) => [record.A, record.B])).toEqual([
      ['a', undefined],
      [undefined, 'b'],
      ['a', undefined],
    ]);
  });

  it('tells definitions apart that differ in a name or a text only', async () => {
    const inner = { name: 'Inner', children: ['fixed ', { slot: 'v' }] };
    const event = { ...spec, userData: { name: 'Root', children: [inner] } };
    const file = writeEvtx([event, event, event, event, event], { recordsPerChunk: 1 });
    const change = (chunk: number, from: string, to: string): void => {
      const at = Buffer.from(file.buffer).indexOf(utf16(from), 4096 + chunk * 65_536);
      file.set(utf16(to), at);
    };
    change(1, 'Inner', 'Other');
    change(3, 'fixed', 'moved');
    const { forms } = await read(file);
    expect(forms.map(({ xml }) => /<Root>(.*)<\/Root>/.exec(xml)?.[1])).toEqual([
      '<Inner>fixed v</Inner>',
      '<Other>fixed v</Other>',
      '<Inner>fixed v</Inner>',
      '<Inner>moved v</Inner>',
      '<Inner>fixed v</Inner>',
    ]);
  });

  it('makes characters that XML cannot hold visible', async () => {
    const forms = await userData({ name: 'Leaf', children: [{ slot: 'a\u0001\ud800\uffff\r\n\t\u0085b' }] }, 'nested');
    expect(forms.xml).toBe('<Root><Leaf>a\ufffd\ufffd\ufffd&#13;&#10;&#9;\u0085b</Leaf></Root>');
    expect(forms.json).toEqual({ Root: { Leaf: 'a\u0001\ud800\uffff\r\n\t\u0085b' } });
  });
});

describe('tokens by hand', () => {
  it('reads names that stand elsewhere in the chunk', async () => {
    const { forms, report } = await oneRecord((out) => {
      const first = out.offset + 9;
      open(out, 'Event');
      out.raw(Uint8Array.of(0x01));
      out.u32(0);
      out.u32(first);
      out.raw(Uint8Array.of(0x03, 0x04, 0x00));
    });
    expect(report.problems).toEqual([]);
    expect(forms[0]?.xml).toBe('<Event><Event/></Event>');
  });

  it('reads values with a fixed width in place of text', async () => {
    const { forms } = await oneRecord((out) => {
      open(out, 'Event');
      open(out, 'N');
      out.raw(Uint8Array.of(0x05, 0x08));
      out.u32(70_000);
      out.raw(Uint8Array.of(0x04, 0x04, 0x00));
    });
    expect(forms[0]?.xml).toBe('<Event><N>70000</N></Event>');
    expect(forms[0]?.record).toMatchObject({ N: 70_000 });
  });

  it('names Data elements by their values, where it must', async () => {
    const names = ['First', 'Second'];
    const { forms } = await someRecords(names.length, (out, i) => {
      const definition = instance(out, () => {
        open(out, 'Event', true);
        open(out, 'EventData', true);
        openWithAttribute(out, 'Data', 'Name', [0x0d, 0, 0, 1]);
        out.raw(Uint8Array.of(0x0d, 1, 0, 1, 0x04, 0x04, 0x04, 0x00));
      });
      values(out, [utf16(names[i]!), utf16(`value ${i}`)]);
      return definition;
    });
    expect(forms.map(({ xml }) => xml)).toEqual([
      '<Event><EventData><Data Name="First">value 0</Data></EventData></Event>',
      '<Event><EventData><Data Name="Second">value 1</Data></EventData></Event>',
    ]);
    expect(forms.map(({ record: each }) => each.First ?? each.Second)).toEqual(['value 0', 'value 1']);
    expect(forms.map(({ json }) => json)).toEqual([
      { Event: { EventData: { First: 'value 0' } } },
      { Event: { EventData: { Second: 'value 1' } } },
    ]);
  });

  it('keeps all fragments of a record, the first root being the event', async () => {
    const { forms, report } = await oneRecord((out) => {
      out.raw(Uint8Array.of(0x0f, 1, 1, 0));
      open(out, 'Event');
      out.raw(Uint8Array.of(0x04, 0x0f, 1, 1, 0));
      open(out, 'More');
      writeText(out, 'x');
      out.raw(Uint8Array.of(0x04, 0x00));
    });
    expect(report.problems).toEqual([]);
    expect(forms[0]?.xml).toBe('<Event/><More>x</More>');
    expect(forms[0]?.record).toMatchObject({ More: 'x' });
  });

  it('reads an instance among elements', async () => {
    const { forms, report } = await oneRecord((out) => {
      open(out, 'Event');
      instance(out, () => {
        open(out, 'EventData', true);
        openWithAttribute(out, 'Data', 'Name', [0x05, 0x01, 1, 0, 0x41, 0]);
        out.raw(Uint8Array.of(0x0d, 0, 0, 1, 0x04, 0x04, 0x00));
      });
      values(out, [utf16('v')]);
      open(out, 'After');
      out.raw(Uint8Array.of(0x04, 0x04, 0x00));
    });
    expect(report.problems).toEqual([]);
    expect(forms[0]?.xml).toBe('<Event><EventData><Data Name="A">v</Data></EventData><After/></Event>');
    expect(forms[0]?.record).toMatchObject({ A: 'v' });
  });

  const unreadable: { why: string; write: (out: ByteWriter) => void }[] = [
    { why: 'nothing but an end', write: (out) => out.u8(0) },
    { why: 'an unknown token', write: (out) => out.u8(0x3f) },
    { why: 'a substitution outside definitions', write: (out) => out.raw(Uint8Array.of(0x0d, 0, 0, 1)) },
    {
      why: 'a name beyond the chunk',
      write: (out) => out.raw(Uint8Array.of(0x01, 0, 0, 0, 0, 0xf8, 0xff, 0xff, 0x7f)),
    },
    { why: 'a definition beyond the chunk', write: (out) => instanceOf(out, 0x7fffffff) },
    { why: 'a definition that is none', write: (out) => instanceOf(out, 0) },
    {
      why: 'more values than there are bytes',
      write: (out) => {
        instance(out, () => open(out, 'Event', true));
        out.u32(0xffffffff);
      },
    },
    {
      why: 'values beyond the record',
      write: (out) => {
        instance(out, () => open(out, 'Event', true));
        out.u32(1);
        out.u32(0x0001ffff);
      },
    },
  ];

  it.each(unreadable)('leaves a record out that has $why', async ({ write }) => {
    const { forms, report } = await oneRecord(write);
    expect(forms).toEqual([]);
    expect(report.problems).toMatchObject([{ code: 'record-unreadable', offset: 4608, count: 1 }]);
  });

  it('keeps what stands before damage', async () => {
    const { forms, report } = await oneRecord((out) => {
      open(out, 'Event');
      open(out, 'Kept');
      writeText(out, 'x');
      out.raw(Uint8Array.of(0x04, 0x3f));
    });
    expect(forms[0]?.record).toMatchObject({ Kept: 'x' });
    expect(report.problems).toMatchObject([{ code: 'record-damaged', count: 1 }]);
  });
});

describe('bounds', () => {
  it('ends a template that contains itself', async () => {
    const { forms, report } = await oneRecord((out) => {
      const at = out.offset;
      instance(out, () => {
        open(out, 'Event', true);
        instanceOf(out, at + 10);
      });
      values(out, []);
    });
    expect(forms.map(({ xml }) => xml)).toEqual(['<Event/>']);
    expect(report.problems).toMatchObject([{ code: 'record-damaged' }]);
  });

  it('ends values that multiply themselves', async () => {
    const { forms, report } = await oneRecord((out) => {
      const definition = out.offset + 10;
      instance(out, () => {
        open(out, 'Event', true);
        // The definition asks for its first value many times, which is an instance of it, and so on.
        for (let i = 0; i < 200; i++) out.raw(Uint8Array.of(0x0d, 0, 0, 0x21));
        out.raw(Uint8Array.of(0x04, 0x00));
      });
      for (let depth = 40; depth > 0; depth--) {
        out.u32(1);
        out.u16(depth * 18 - 4);
        out.u16(0x21);
        instanceOf(out, definition);
      }
      values(out, []);
    });
    expect(forms).toHaveLength(1);
    expect(forms[0]!.xml.length).toBeLessThan(5_000_000);
    expect(report.problems).toMatchObject([{ code: 'record-damaged', count: 1 }]);
  });

  it('ends elements that are open within each other', async () => {
    const { forms, report } = await oneRecord((out) => {
      for (let i = 0; i < 2000; i++) open(out, 'E');
    });
    expect(forms[0]?.xml.match(/<E/g)).toHaveLength(512);
    expect(report.problems).toMatchObject([{ code: 'record-damaged' }]);
  });

  it('ends a text that is repeated without end', async () => {
    const { forms } = await oneRecord((out) => {
      instance(out, () => {
        open(out, 'Event', true);
        for (let i = 0; i < 3000; i++) {
          if (i > 0 && i % 1000 === 0) open(out, 'Leaf', true);
          out.raw(Uint8Array.of(0x0d, 0, 0, 1));
        }
        out.raw(Uint8Array.of(0x04, 0x04, 0x04, 0x00));
      });
      values(out, [utf16('x'.repeat(10_000))]);
    });
    expect(forms).toHaveLength(1);
    expect(forms[0]!.xml.length).toBeLessThan(20_000_000);
    expect(JSON.stringify(forms[0]!.record).length).toBeLessThan(5_000_000);
  });
});

const spec = {
  provider: 'P',
  eventId: 1,
  time: '2026-03-01T10:00:00Z',
  channel: 'Example',
  computer: 'ws-01.example.test',
};

/** The forms of UserData whose root holds one element. */
async function userData(element: XmlElement, layout: (typeof layouts)[number]): Promise<Forms> {
  const event = { ...spec, layout, userData: { name: 'Root', children: [element] } };
  const { forms, report } = await read(writeEvtx([event, event]));
  expect(report).toEqual({ records: 2, problems: [] });
  expect(forms[1]!.xml).toBe(forms[0]!.xml.replace('<EventRecordID>1<', '<EventRecordID>2<'));
  const { xml, json, record: flat } = forms[1]!;
  const event1 = (json as { Event: { UserData: unknown } }).Event;
  return { xml: /<UserData>(.*)<\/UserData>/s.exec(xml)![1]!, json: event1.UserData, record: flat };
}

async function read(file: Uint8Array): Promise<{ forms: Forms[]; report: ReadReport }> {
  const forms: Forms[] = [];
  const report = await readEvtx(sourceOf(file), freshTables(), (event) => {
    forms.push({ xml: eventXml(event), json: JSON.parse(eventJson(event)), record: event.toRecord() });
  });
  return { forms, report };
}

/** A file of one chunk with one record, whose binary XML is written at its place in the chunk. */
async function oneRecord(write: (out: ByteWriter) => void): ReturnType<typeof read> {
  return someRecords(1, write);
}

async function someRecords(count: number, write: (out: ByteWriter, index: number) => void): ReturnType<typeof read> {
  const out = new ByteWriter();
  out.zeros(512);
  for (let i = 0; i < count; i++) {
    const start = out.offset;
    out.u32(0x2a2a);
    out.u32(0);
    out.u64(BigInt(i + 1));
    out.u64(0n);
    write(out, i);
    const size = out.offset - start + 4;
    out.patchU32(start + 4, size);
    out.u32(size);
  }
  out.patchU32(48, out.offset);
  const file = new Uint8Array(4096 + 65_536);
  file.set(writeEvtx([]).subarray(0, 4096));
  file.set(out.bytes(), 4096);
  file.set(new TextEncoder().encode('ElfChnk\0'), 4096);
  return read(file);
}

function inlineName(out: ByteWriter, value: string): void {
  out.u32(out.offset + 4);
  out.u32(0);
  out.u16(0);
  out.u16(value.length);
  out.raw(utf16(value));
  out.u16(0);
}

/** An element's start, left open. */
function open(out: ByteWriter, element: string, inDefinition = false): void {
  out.u8(0x01);
  if (inDefinition) out.u16(0xffff);
  out.u32(0);
  inlineName(out, element);
  out.u8(0x02);
}

function openWithAttribute(out: ByteWriter, element: string, attribute: string, content: readonly number[]): void {
  out.u8(0x41);
  out.u16(0xffff);
  out.u32(0);
  inlineName(out, element);
  out.u32(0);
  out.u8(0x06);
  inlineName(out, attribute);
  out.raw(Uint8Array.from(content));
  out.u8(0x02);
}

function writeText(out: ByteWriter, value: string): void {
  out.raw(Uint8Array.of(0x05, 0x01));
  out.u16(value.length);
  out.raw(utf16(value));
}

/** An instance up to its value table, with its definition inline. */
function instance(out: ByteWriter, define: () => void): void {
  instanceOf(out, out.offset + 10);
  out.zeros(20);
  const size = out.offset;
  out.u32(0);
  define();
  out.patchU32(size, out.offset - size - 4);
}

function instanceOf(out: ByteWriter, definition: number): void {
  out.raw(Uint8Array.of(0x0c, 1, 0, 0, 0, 0));
  out.u32(definition);
}

/** A value table of strings. */
function values(out: ByteWriter, strings: readonly Uint8Array[]): void {
  out.u32(strings.length);
  for (const bytes of strings) {
    out.u16(bytes.length);
    out.u16(1);
  }
  for (const bytes of strings) out.raw(bytes);
}
