import type { XmlTree } from './xml-tree.ts';

/** The names and texts that detection-engine 2.6 gives for an event in XML, empty ones left out, several joined. */
export function flatEvent(event: XmlTree, separator = '|'): Record<string, string> {
  const flat = new Map<string, string[]>();
  const add = (name: string, text: string): void => {
    if (text !== '') flat.set(name, [...(flat.get(name) ?? []), text]);
  };
  const walk = (element: XmlTree, name: string): void => {
    add(name, element.children.length === 0 ? element.text : '');
    for (const [attribute, value] of Object.entries(element.attributes)) {
      const isNaming = attribute.startsWith('xmlns') || (element.name === 'Data' && attribute === 'Name');
      if (!isNaming) add(attribute === 'Qualifiers' ? attribute : `${name}_${attribute}`, value);
    }
    for (const child of element.children) walk(child, child.attributes.Name ?? child.name);
  };
  for (const section of event.children) {
    for (const [attribute, value] of Object.entries(section.attributes)) {
      if (!attribute.startsWith('xmlns')) add(`${section.name}_${attribute}`, value);
    }
    for (const child of section.children) {
      walk(child, child.name === 'Data' ? (child.attributes.Name ?? child.name) : child.name);
    }
  }
  return Object.fromEntries([...flat].map(([name, texts]) => [name, texts.join(separator)]));
}
