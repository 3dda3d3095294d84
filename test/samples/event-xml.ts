import type { EvtxEvent, XmlContent, XmlElement } from '@svc/engine/testing';
import { eventElement } from '../../shared/engine/testing/evtx-element.ts';
import { valueTexts } from '../../shared/engine/testing/evtx-values.ts';

/** Events as `wevtutil qe /f:xml /e:Events` exports them; record ids as given. */
export function writeEventXml(events: readonly (EvtxEvent & { readonly recordId: number })[]): string {
  const lines = events.map((event) => element(eventElement(event, BigInt(event.recordId))));
  return `<?xml version="1.0" encoding="utf-8"?>\r\n<Events>\r\n${lines.join('\r\n')}\r\n</Events>\r\n`;
}

function element({ name, attributes = {}, children = [] }: XmlElement): string {
  const named = Object.entries(attributes)
    .map(([key, value]) => [key, content(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => ` ${key}="${text}"`)
    .join('');
  const inside = children.map(content).join('');
  return inside === '' ? `<${name}${named}/>` : `<${name}${named}>${inside}</${name}>`;
}

function content(node: XmlContent | XmlElement): string {
  if (typeof node === 'string') return escape(node);
  if ('slot' in node) return node.slot === null ? '' : escape(valueTexts(node.slot).join(','));
  if ('nested' in node) return element(node.nested);
  return 'name' in node ? element(node) : '';
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
