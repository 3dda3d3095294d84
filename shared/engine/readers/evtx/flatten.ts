import type { Section } from '../../events/shape.ts';
import { DEEPEST_ELEMENT } from './tokens.ts';
import type { ElementPart, Parts, TextPart } from './pieces.ts';

/** A name of a record and what its value is made of. */
export interface Slot {
  readonly name: string;
  readonly section: Section;
  readonly path?: string;
  readonly texts: readonly TextPart[];
  /** Whether it is an attribute. */
  readonly attribute?: boolean;
  /** Whether it is the text of a Data element without a name. */
  readonly unnamed?: boolean;
}

/** Longest path that rules can name; longer ones are left out. */
const LONGEST_PATH = 512;
const LONGEST_NAME = 256;

type Naming = Pick<Slot, 'name' | 'section' | 'path' | 'unnamed'>;

/** The names and values of a record in document order (detection-engine 2.6). */
export function flatten(parts: Parts): readonly Slot[] {
  const flattener = new Flattener(parts);
  for (const [index, root] of parts.roots().entries()) {
    if (index === 0) flattener.event(root);
    else flattener.element(root, { name: local(root.piece.name), section: 'data' });
  }
  return flattener.slots;
}

class Flattener {
  readonly slots: Slot[] = [];
  readonly #parts: Parts;
  #depth = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  event(event: ElementPart): void {
    for (const child of this.#parts.open(event).children) {
      const name = local(child.piece.name);
      if (name === 'System') this.#system(child);
      else if (name === 'EventData') this.#eventData(child);
      else if (name === 'UserData') this.#userData(child);
      else if (name === 'RenderingInfo') this.#renderingInfo(child);
      else if (name === 'ProcessingErrorData') this.#children(child, 'rendering');
      else this.element(child, { name, section: 'data' });
    }
  }

  /** The text, the attributes and the children of an element. */
  element(element: ElementPart, naming: Naming): void {
    if (++this.#depth > DEEPEST_ELEMENT) return;
    const { texts, children } = this.#parts.open(element);
    const before = this.slots.length;
    this.#attributes(element, naming);
    const isEmpty = this.slots.length === before && texts.length === 0;
    const isText = children.length === 0 ? texts.length > 0 || isEmpty : !isBlank(texts);
    if (isText) this.slots.splice(before, 0, { ...naming, texts });
    for (const child of children) {
      const own = this.#naming(child, naming.section);
      this.element(child, { ...own, ...path(`${naming.path ?? naming.name}.${own.name}`) });
    }
    this.#depth--;
  }

  #system(system: ElementPart): void {
    const before = this.slots.length;
    this.#children(system, 'system');
    const qualifiers = this.slots.findIndex(({ name }, at) => at >= before && name === 'EventID_Qualifiers');
    if (qualifiers >= 0) this.slots[qualifiers] = { ...this.slots[qualifiers]!, name: 'Qualifiers' };
  }

  #eventData(eventData: ElementPart): void {
    const naming: Naming = { name: 'EventData', section: 'data' };
    this.#attributes(eventData, naming);
    this.#children(eventData, 'data');
    const { texts } = this.#parts.open(eventData);
    if (!isBlank(texts)) this.slots.push({ ...naming, texts });
  }

  #userData(userData: ElementPart): void {
    for (const root of this.#parts.open(userData).children) {
      const name = local(root.piece.name);
      const texts: TextPart[] = [{ piece: { kind: 'text', text: name, typed: name }, instance: 0 }];
      this.slots.push({ name: 'UserData_Root', section: 'data', texts });
      this.element(root, { name, section: 'data', path: `UserData.${name}` });
    }
  }

  #renderingInfo(info: ElementPart): void {
    const section = 'rendering';
    this.#attributes(info, { name: 'RenderingInfo', section });
    for (const child of this.#parts.open(info).children) {
      const name = local(child.piece.name);
      const naming: Naming = { name: name === 'Message' ? name : `${name}_Text`, section };
      const keywords = name === 'Keywords' ? this.#parts.open(child).children : [];
      for (const keyword of keywords) this.element(keyword, naming);
      if (keywords.length === 0) this.element(child, naming);
    }
  }

  #children(parent: ElementPart, section: Section): void {
    for (const child of this.#parts.open(parent).children) this.element(child, this.#naming(child, section));
  }

  #attributes({ piece, instance }: ElementPart, naming: Naming): void {
    for (const attribute of piece.attributes) {
      const name = local(attribute.name);
      const isNaming = attribute.name.startsWith('xmlns') || (piece.name === 'Data' && name === 'Name');
      if (isNaming) continue;
      const { texts } = this.#parts.split(attribute.content, instance);
      const own: Naming = { name: `${naming.name}_${name}`, section: naming.section };
      this.slots.push({ ...own, ...(naming.path && path(`${naming.path}_${name}`)), texts, attribute: true });
    }
  }

  #naming(element: ElementPart, section: Section): Naming {
    const name = local(element.piece.name);
    if (name !== 'Data') return { name, section };
    const given = this.#parts.dataName(element).slice(0, LONGEST_NAME);
    return given === '' ? { name, section, unnamed: true } : { name: given, section };
  }
}

/** Whether there is nothing but white space between child elements. */
function isBlank(texts: readonly TextPart[]): boolean {
  return texts.every(({ piece }) => piece.kind === 'text' && piece.text.trim() === '');
}

function path(text: string): { path?: string } {
  return text.length > LONGEST_PATH ? {} : { path: text };
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
