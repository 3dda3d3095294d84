import { type ByteWriter, utf16 } from './byte-writer.ts';
import type { XmlContent, XmlElement } from './evtx-element.ts';
import { encodeValue, type EvtxValue, valueTexts } from './evtx-values.ts';

/** What a slot of a template instance holds. */
type SlotValue = EvtxValue | { readonly nested: XmlElement };

/** Where an element is being written: with values in place, or as a definition that collects them. */
type Target = { readonly kind: 'plain' } | { readonly kind: 'definition'; readonly values: SlotValue[] };

interface Template {
  readonly offset: number;
  readonly id: number;
  readonly bucket: number;
}

const nestedCode = 0x21;

/** Writes binary XML (detection-engine 2.4) into one chunk, sharing its names and templates. */
export class BinXmlWriter {
  readonly #out: ByteWriter;
  readonly #names = new Map<string, { offset: number; bucket: number }>();
  readonly #templates = new Map<string, Template>();

  /** @param out holds the chunk from its first byte on, because offsets count from there. */
  constructor(out: ByteWriter) {
    this.#out = out;
  }

  /** A fragment whose root is an instance of the element's template, or the element itself. */
  fragment(element: XmlElement, templated: boolean): void {
    this.#header();
    if (templated) this.#instance(element);
    else this.#element(element, { kind: 'plain' });
    this.#out.u8(0x00);
  }

  /** Heads of the 64 name buckets, of names that stand before `end`. */
  nameBuckets(end: number): Uint32Array {
    return heads(64, this.#names.values(), end);
  }

  /** Heads of the 32 template buckets, of definitions that stand before `end`. */
  templateBuckets(end: number): Uint32Array {
    return heads(32, this.#templates.values(), end);
  }

  #header(): void {
    this.#out.raw(Uint8Array.of(0x0f, 1, 1, 0));
  }

  #instance(element: XmlElement): void {
    const out = this.#out;
    const guid = templateGuid(element);
    const key = String(guid);
    const known = this.#templates.get(key);
    const id = new DataView(guid.buffer).getUint32(0, true);
    out.u8(0x0c);
    out.u8(1);
    out.u32(id);
    const offset = known?.offset ?? out.offset + 4;
    out.u32(offset);
    if (known === undefined) {
      const bucket = hash(new Uint16Array(guid.buffer)) % 32;
      out.u32(this.templateBuckets(offset)[bucket]!);
      this.#templates.set(key, { offset, id, bucket });
      out.raw(guid);
      this.#sized(() => {
        this.#header();
        this.#element(element, { kind: 'definition', values: [] });
        out.u8(0x00);
      });
    }
    this.#values(slotValues(element));
  }

  #values(values: readonly SlotValue[]): void {
    const out = this.#out;
    out.u32(values.length);
    const descriptors = out.offset;
    out.zeros(values.length * 4);
    values.forEach((value, index) => {
      const start = out.offset;
      const code = this.#value(value);
      if (out.offset - start > 0xffff)
        throw new RangeError(`value ${index} is too long for EVTX: ${out.offset - start} bytes`);
      out.patchU16(descriptors + index * 4, out.offset - start);
      out.patchU16(descriptors + index * 4 + 2, code);
    });
  }

  #value(value: SlotValue): number {
    if (isNested(value)) {
      this.fragment(value.nested, true);
      return nestedCode;
    }
    const { code, bytes } = encodeValue(value);
    this.#out.raw(bytes);
    return code;
  }

  #element(element: XmlElement, target: Target): void {
    const out = this.#out;
    const attributes = Object.entries(element.attributes ?? {});
    const children = element.children ?? [];
    out.u8(attributes.length > 0 ? 0x41 : 0x01);
    if (target.kind === 'definition') out.u16(0xffff);
    this.#sized(() => {
      this.#name(element.name);
      if (attributes.length > 0) this.#sized(() => this.#attributes(attributes, target));
      out.u8(children.length > 0 ? 0x02 : 0x03);
      for (const child of children) {
        if (isElement(child)) this.#element(child, target);
        else this.#content(child, target);
      }
      if (children.length > 0) out.u8(0x04);
    });
  }

  #attributes(attributes: readonly [string, XmlContent][], target: Target): void {
    attributes.forEach(([name, value], index) => {
      this.#out.u8(index < attributes.length - 1 ? 0x46 : 0x06);
      this.#name(name);
      this.#content(value, target);
    });
  }

  #content(content: XmlContent, target: Target): void {
    const out = this.#out;
    if (typeof content === 'string') this.#text(content);
    else if ('slot' in content) this.#slot(content, target);
    else if ('nested' in content) this.#nested(content, target);
    else if ('cdata' in content) this.#counted(0x07, content.cdata);
    else if ('charRef' in content) {
      out.u8(0x08);
      out.u16(content.charRef);
    } else if ('entity' in content) {
      out.u8(0x09);
      this.#name(content.entity);
    } else {
      out.u8(0x0a);
      this.#name(content.instruction);
      this.#counted(0x0b, content.data);
    }
  }

  #slot(content: { readonly slot: EvtxValue; readonly optional?: boolean }, target: Target): void {
    if (target.kind === 'plain') {
      if (content.slot !== null) this.#text(valueTexts(content.slot).join(','));
      return;
    }
    this.#substitution(content.slot, declaredCode(content.slot), content.optional ?? false, target.values);
  }

  #nested(content: { readonly nested: XmlElement }, target: Target): void {
    if (target.kind === 'plain') this.#instance(content.nested);
    else this.#substitution(content, nestedCode, true, target.values);
  }

  #substitution(value: SlotValue, code: number, optional: boolean, values: SlotValue[]): void {
    this.#out.u8(optional ? 0x0e : 0x0d);
    this.#out.u16(values.length);
    this.#out.u8(code);
    values.push(value);
  }

  #text(text: string): void {
    this.#out.u8(0x05);
    this.#counted(0x01, text);
  }

  #counted(token: number, text: string): void {
    this.#out.u8(token);
    this.#out.u16(text.length);
    this.#out.raw(utf16(text));
  }

  #name(name: string): void {
    const out = this.#out;
    const known = this.#names.get(name);
    const offset = known?.offset ?? out.offset + 4;
    out.u32(offset);
    if (known !== undefined) return;
    const units = utf16(name);
    const hashed = hash(new Uint16Array(units.buffer)) & 0xffff;
    out.u32(this.nameBuckets(offset)[hashed % 64]!);
    this.#names.set(name, { offset, bucket: hashed % 64 });
    out.u16(hashed);
    out.u16(name.length);
    out.raw(units);
    out.u16(0);
  }

  /** A u32 with the length of what `write` writes after it. */
  #sized(write: () => void): void {
    const at = this.#out.offset;
    this.#out.u32(0);
    write();
    this.#out.patchU32(at, this.#out.offset - at - 4);
  }
}

function isElement(node: XmlContent | XmlElement): node is XmlElement {
  return typeof node === 'object' && 'name' in node;
}

function isNested(value: SlotValue): value is { readonly nested: XmlElement } {
  return typeof value === 'object' && value !== null && 'nested' in value;
}

function declaredCode(value: EvtxValue): number {
  const { code } = encodeValue(value);
  return code === 0 ? 0x01 : code;
}

/** Values in the order in which the definition numbers its slots. */
function slotValues(element: XmlElement): readonly SlotValue[] {
  const contents = [...Object.values(element.attributes ?? {}), ...(element.children ?? [])];
  return contents.flatMap((content): readonly SlotValue[] => {
    if (typeof content === 'string') return [];
    if (isElement(content)) return slotValues(content);
    if ('slot' in content) return [content.slot];
    return 'nested' in content ? [content] : [];
  });
}

/** A GUID made from all of the definition but its values, so that equal templates are shared. */
function templateGuid(element: XmlElement): Uint8Array<ArrayBuffer> {
  const shape = JSON.stringify(element, (_key, node: XmlContent | XmlElement) => {
    if (typeof node !== 'object' || node === null) return node;
    if ('slot' in node) return [declaredCode(node.slot), node.optional];
    return 'nested' in node ? 'nested' : node;
  });
  const words = Uint32Array.from([1, 2, 3, 4], (seed) => {
    let word = seed;
    for (let i = 0; i < shape.length; i++) word = Math.imul(word ^ shape.charCodeAt(i), 0x01000193) ^ (word >>> 13);
    return word;
  });
  return new Uint8Array(words.buffer);
}

/** The hash that Windows puts names and template GUIDs into buckets by. */
function hash(units: Uint16Array): number {
  let sum = 0;
  for (const unit of units) sum = (Math.imul(sum, 65_599) + unit) >>> 0;
  return sum;
}

/** Per bucket the entry written last: each entry points at the one before it. */
function heads(count: number, entries: Iterable<{ offset: number; bucket: number }>, end: number): Uint32Array {
  const buckets = new Uint32Array(count);
  for (const { offset, bucket } of entries) if (offset < end) buckets[bucket] = Math.max(buckets[bucket]!, offset);
  return buckets;
}
