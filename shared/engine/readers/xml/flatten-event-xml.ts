import type { Section } from '../../events/shape.ts';
import { type Span, type XmlAttribute, XmlTokens } from './xml-tokens.ts';

const LOWER_X = 0x78;
const deepest = 64;

/** What an element is in an event, which decides how its children are named. */
type Role = 'event' | 'system' | 'eventData' | 'userData' | 'renderingInfo' | 'keywords' | 'element';

const roles = new Map<string, Role>([
  ['System', 'system'],
  ['EventData', 'eventData'],
  ['UserData', 'userData'],
  ['RenderingInfo', 'renderingInfo'],
]);

/** Elements whose own text and attributes say nothing of the event. */
const hasNoText: ReadonlySet<Role> = new Set<Role>(['event', 'system', 'userData']);

const sections = new Map<string, Section>([
  ['System', 'system'],
  ['RenderingInfo', 'rendering'],
  ['ProcessingErrorData', 'rendering'],
]);

/** An element that is open. */
interface Open {
  tag: string;
  role: Role;
  section: Section;
  name: string;
  path: string | undefined;
  /** Its own text so far. */
  readonly span: Span;
  joined: string | undefined;
  hasCdata: boolean;
  hasChildren: boolean;
  hasAttributes: boolean;
}

/** A value of an event: a stretch of its bytes, or text put together from several; null is empty. */
export type XmlValue = Span | string | null;

/** What takes the values, and makes texts of the bytes that it has. */
export interface FlattenedEvent {
  add(section: Section, name: string, value: XmlValue, path: string | undefined, isAttribute: boolean): void;
  /** The name in these bytes, and one whose references are to be resolved. */
  name(start: number, end: number): string;
  nameIn(span: Span): string;
  text(span: Span): string;
  literal(span: Span): string;
}

/** Gives the values of an `Event` element to an event under the names of detection-engine 2.6. */
export class EventFlattener {
  readonly #event: FlattenedEvent;
  readonly #tokens = new XmlTokens();
  readonly #stack = Array.from({ length: deepest }, openElement);
  #depth = 0;

  constructor(event: FlattenedEvent) {
    this.#event = event;
  }

  /** False when the XML is not well-formed; some of its values may have been given by then. */
  flatten(bytes: Uint8Array, start: number, end: number): boolean {
    this.#tokens.reset(bytes, start, end);
    this.#depth = 0;
    for (;;) {
      switch (this.#tokens.next()) {
        case 'open':
          if (!this.#open()) return false;
          break;
        case 'close':
          if (!this.#close(this.#tokenName())) return false;
          break;
        case 'text':
          this.#text(false);
          break;
        case 'cdata':
          this.#text(true);
          break;
        case 'end':
          return this.#depth === 0;
        default:
          return false;
      }
    }
  }

  #tokenName(): string {
    return this.#event.name(this.#tokens.name.start, this.#tokens.name.end);
  }

  #open(): boolean {
    if (this.#depth === deepest) return false;
    const parent = this.#stack[this.#depth - 1];
    const open = this.#stack[this.#depth++]!;
    const tag = this.#tokenName();
    open.tag = tag;
    open.span.start = open.span.end = 0;
    open.joined = undefined;
    open.hasCdata = open.hasChildren = open.hasAttributes = false;
    if (parent === undefined) enter(open, 'event', 'data', tag);
    else this.#place(open, parent, tag);
    this.#attributes(open);
    return !this.#tokens.isSelfClosing || this.#close(tag);
  }

  /** Names an element by where it stands. */
  #place(open: Open, parent: Open, tag: string): void {
    parent.hasChildren = true;
    switch (parent.role) {
      case 'event':
        return enter(open, roles.get(tag) ?? 'element', sections.get(tag) ?? 'data', tag);
      case 'userData':
        this.#event.add('data', 'UserData_Root', tag, undefined, false);
        return enter(open, 'element', 'data', tag, `UserData.${tag}`);
      case 'renderingInfo':
        return enter(
          open,
          tag === 'Keywords' ? 'keywords' : 'element',
          'rendering',
          tag === 'Message' ? tag : `${tag}_Text`,
        );
      case 'keywords':
        return enter(open, 'element', 'rendering', parent.name);
      case 'system':
        return enter(open, 'element', 'system', tag);
      case 'eventData':
        return enter(open, 'element', 'data', this.#dataName(tag));
      case 'element': {
        const name = this.#dataName(tag);
        const isSection = parent.tag === 'ProcessingErrorData' && this.#depth === 3;
        return enter(
          open,
          'element',
          parent.section,
          name,
          isSection ? undefined : `${parent.path ?? parent.name}.${name}`,
        );
      }
    }
  }

  #dataName(tag: string): string {
    if (tag !== 'Data') return tag;
    for (let i = 0; i < this.#tokens.attributeCount; i++) {
      const attribute = this.#tokens.attributes[i]!;
      if (this.#localName(attribute) === 'Name') return this.#event.nameIn(attribute.value) || tag;
    }
    return tag;
  }

  #attributes(open: Open): void {
    if (hasNoText.has(open.role)) return;
    for (let i = 0; i < this.#tokens.attributeCount; i++) {
      const attribute = this.#tokens.attributes[i]!;
      const local = this.#localName(attribute);
      if (this.#isNamespace(attribute) || (open.tag === 'Data' && local === 'Name')) continue;
      const isQualifiers = open.section === 'system' && open.tag === 'EventID' && local === 'Qualifiers';
      const name = isQualifiers ? local : `${open.name}_${local}`;
      const path = open.path === undefined ? undefined : `${open.path}_${local}`;
      this.#event.add(open.section, name, attribute.value, path, true);
      open.hasAttributes = true;
    }
  }

  #localName({ local, name }: XmlAttribute): string {
    return this.#event.name(local, name.end);
  }

  #isNamespace({ local, name }: XmlAttribute): boolean {
    if (this.#tokens.bytes[name.start] !== LOWER_X) return false;
    return this.#event.name(name.start, local === name.start ? name.end : local - 1) === 'xmlns';
  }

  #text(isCdata: boolean): void {
    const open = this.#depth > 0 ? this.#stack[this.#depth - 1]! : undefined;
    if (open === undefined || hasNoText.has(open.role)) return;
    const { text } = this.#tokens;
    // What stands around children is most often white space.
    if (open.hasChildren && !isCdata && this.#isBlank(text, true)) return;
    open.hasCdata ||= isCdata;
    if (!isCdata && open.joined === undefined && open.span.end === 0) {
      open.span.start = text.start;
      open.span.end = text.end;
      return;
    }
    open.joined ??= open.span.end === 0 ? '' : this.#event.text(open.span);
    open.joined += isCdata ? this.#event.literal(text) : this.#event.text(text);
  }

  #close(tag: string): boolean {
    const open = this.#depth > 0 ? this.#stack[--this.#depth]! : undefined;
    if (open?.tag !== tag) return false;
    if (hasNoText.has(open.role)) return true;
    const value = this.#value(open);
    const isContainer = open.hasChildren || open.hasAttributes || open.role !== 'element';
    if (value !== null || !isContainer) this.#event.add(open.section, open.name, value, open.path, false);
    return true;
  }

  /** Text of an element; white space around children or to indent its closing tag is none. */
  #value({ span, joined, hasCdata, hasChildren }: Open): XmlValue {
    if (joined !== undefined)
      return joined === '' || (hasChildren && !hasCdata && joined.trim() === '') ? null : joined;
    return span.end === span.start || this.#isBlank(span, hasChildren) ? null : { start: span.start, end: span.end };
  }

  #isBlank({ start, end }: Span, hasChildren: boolean): boolean {
    const { bytes } = this.#tokens;
    let hasLineBreak = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte > 0x20) return false;
      if (byte === 0x0a) hasLineBreak = true;
    }
    return hasChildren || (hasLineBreak && bytes[end - 1] !== 0x0a);
  }
}

function enter(open: Open, role: Role, section: Section, name: string, path?: string): void {
  open.role = role;
  open.section = section;
  open.name = name;
  open.path = path;
}

function openElement(): Open {
  return {
    tag: '',
    role: 'element',
    section: 'data',
    name: '',
    path: undefined,
    span: { start: 0, end: 0 },
    joined: undefined,
    hasCdata: false,
    hasChildren: false,
    hasAttributes: false,
  };
}
