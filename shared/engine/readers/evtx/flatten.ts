import type { Section } from '../../events/shape.ts';
import type { LayoutDraft } from './layout-draft.ts';
import type { Attribute, ElementPiece } from './nodes.ts';
import type { Parts } from './pieces.ts';
import type { ElementPart, TextPart } from './nodes.ts';
import { DEEPEST_ELEMENT } from './tokens.ts';

/** Longest path that rules can name; longer ones are left out. */
const LONGEST_PATH = 512;
const LONGEST_NAME = 256;

/** What `LayoutDraft.add` takes beside a name. */
type ValueOfSlot = Parameters<LayoutDraft['add']> extends [string, ...infer Rest] ? Rest : never;

/** Adds the names and values of a record in document order (detection-engine 2.6). */
export function flatten(parts: Parts, into: LayoutDraft): void {
  const flattener = new Flattener(parts, into);
  for (const [index, root] of parts.roots().entries()) {
    if (index === 0) flattener.event(root);
    else flattener.element(root, local(root.piece.name), 'data');
  }
}

class Flattener {
  readonly #parts: Parts;
  readonly #into: LayoutDraft;
  #depth = 0;
  /** Whether the event's own qualifiers are still to come. */
  #awaitsQualifiers = false;

  constructor(parts: Parts, into: LayoutDraft) {
    this.#parts = parts;
    this.#into = into;
  }

  event(event: ElementPart): void {
    for (const child of this.#parts.open(event).children) {
      const name = local(child.piece.name);
      if (name === 'System') this.#system(child);
      else if (name === 'EventData') this.#eventData(child);
      else if (name === 'UserData') this.#userData(child);
      else if (name === 'RenderingInfo') this.#renderingInfo(child);
      else if (name === 'ProcessingErrorData') this.#children(this.#parts.open(child).children, 'rendering');
      else this.element(child, name, 'data');
    }
  }

  /** The text, the attributes and the children of an element. */
  element(element: ElementPart, name: string, section: Section, path?: string, isUnnamed = false): void {
    if (this.#depth === DEEPEST_ELEMENT) {
      this.#parts.isCut = true;
      return;
    }
    this.#depth++;
    const { texts, children } = this.#parts.open(element);
    const attributes = ownAttributes(element.piece);
    const isText = children.length === 0 ? texts.length > 0 || attributes.length === 0 : !isBlank(texts);
    if (isText) this.#add(name, section, path, texts, false, isUnnamed);
    this.#attributes(attributes, element.instance, name, section, path);
    this.#children(children, section, path ?? name);
    this.#depth--;
  }

  #system(system: ElementPart): void {
    this.#awaitsQualifiers = true;
    this.#children(this.#parts.open(system).children, 'system');
    this.#awaitsQualifiers = false;
  }

  #eventData(eventData: ElementPart): void {
    const { texts, children } = this.#parts.open(eventData);
    this.#attributes(ownAttributes(eventData.piece), eventData.instance, 'EventData', 'data');
    this.#children(children, 'data');
    if (!isBlank(texts)) this.#add('EventData', 'data', undefined, texts);
  }

  #userData(userData: ElementPart): void {
    for (const root of this.#parts.open(userData).children) {
      const name = local(root.piece.name);
      this.#add('UserData_Root', 'data', undefined, [
        { piece: { kind: 'text', text: name, typed: name }, instance: 0 },
      ]);
      this.element(root, name, 'data', `UserData.${name}`);
    }
  }

  #renderingInfo(info: ElementPart): void {
    this.#attributes(ownAttributes(info.piece), info.instance, 'RenderingInfo', 'rendering');
    for (const child of this.#parts.open(info).children) {
      const own = local(child.piece.name);
      const name = own === 'Message' ? own : `${own}_Text`;
      const keywords = own === 'Keywords' ? this.#parts.open(child).children : [];
      for (const keyword of keywords) this.element(keyword, name, 'rendering');
      if (keywords.length === 0) this.element(child, name, 'rendering');
    }
  }

  #children(children: readonly ElementPart[], section: Section, path?: string): void {
    for (const child of children) {
      const own = local(child.piece.name);
      const given = own === 'Data' ? this.#parts.dataName(child).slice(0, LONGEST_NAME) : '';
      const name = given || own;
      this.element(child, name, section, path && bounded(`${path}.${name}`), own === 'Data' && given === '');
    }
  }

  #attributes(
    attributes: readonly Attribute[],
    instance: number,
    owner: string,
    section: Section,
    path?: string,
  ): void {
    for (const attribute of attributes) {
      const name = local(attribute.name);
      const { texts } = this.#parts.split(attribute.content, instance);
      this.#add(`${owner}_${name}`, section, path && bounded(`${path}_${name}`), texts, true);
    }
  }

  #add(name: string, ...rest: ValueOfSlot): void {
    const isQualifiers = this.#awaitsQualifiers && name === 'EventID_Qualifiers';
    if (isQualifiers) this.#awaitsQualifiers = false;
    this.#into.add(isQualifiers ? 'Qualifiers' : name, ...rest);
  }
}

/** Attributes that hold values, not names. */
function ownAttributes({ name, attributes }: ElementPiece): readonly Attribute[] {
  if (attributes.length === 0) return attributes;
  return attributes.filter((each) => !each.name.startsWith('xmlns') && (name !== 'Data' || each.name !== 'Name'));
}

/** Whether there is nothing but white space between child elements. */
function isBlank(texts: readonly TextPart[]): boolean {
  return texts.every(({ piece }) => piece.kind === 'text' && piece.text.trim() === '');
}

function bounded(path: string): string | undefined {
  return path.length > LONGEST_PATH ? undefined : path;
}

/** A name without its prefix. */
function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
