import { escapeXml } from '../xml/escape-xml.ts';
import type { EvtxEvent } from './evtx-event.ts';
import { isOptionalText, LONGEST_OUTPUT, Parts } from './pieces.ts';
import type { ElementPart, TextPart } from './nodes.ts';
import { DEEPEST_ELEMENT } from './tokens.ts';

/**
 * The event as XML in one line, as Event Viewer saves it. Values that are absent leave their
 * attribute out; an array repeats its element; what XML cannot hold becomes U+FFFD. A record that
 * comes to more than 4 MiB is cut at an element.
 */
export function eventXml(event: EvtxEvent): string {
  const renderer = new XmlRenderer(new Parts(event.frame));
  for (const root of renderer.parts.roots()) renderer.element(root);
  return renderer.text;
}

class XmlRenderer {
  text = '';
  readonly parts: Parts;
  #depth = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  element(element: ElementPart): void {
    if (this.#depth === DEEPEST_ELEMENT || this.text.length > LONGEST_OUTPUT) return;
    this.#depth++;
    const { name, content } = element.piece;
    const start = `<${name}${this.#attributes(element)}`;
    const isText = content.every((piece) => piece.kind === 'text' || piece.kind === 'value');
    const { texts, children } = this.parts.open(element);
    if (!isText || children.length > 0) this.#mixed(start, element);
    else this.#leaf(start, name, texts);
    this.#depth--;
  }

  #attributes({ piece, instance }: ElementPart): string {
    let text = '';
    for (const { name, content } of piece.attributes) {
      const { texts } = this.parts.split(content, instance);
      const values = this.parts.values(texts);
      if (values.length > 0 || texts.length === 0) text += ` ${name}="${escapeXml(values.join(','))}"`;
    }
    return text;
  }

  #leaf(start: string, name: string, texts: readonly TextPart[]): void {
    const values = this.parts.values(texts);
    if (values.length === 0 && isOptionalText(texts)) return;
    if (texts.length === 0) {
      this.text += `${start}/>`;
      return;
    }
    for (const value of values.length > 0 ? values : [''])
      this.text += `${start}>${escapeXml(String(value))}</${name}>`;
  }

  #mixed(start: string, element: ElementPart): void {
    this.text += `${start}>`;
    for (const node of this.parts.nodes(element)) {
      const { piece } = node;
      if (piece.kind === 'element') this.element(node as ElementPart);
      else if (piece.kind !== 'instruction') this.text += escapeXml(this.parts.values([node as TextPart]).join(','));
      else this.text += `<?${piece.target} ${piece.data.replaceAll('?>', '? >')}?>`;
    }
    this.text += `</${element.piece.name}>`;
  }
}
