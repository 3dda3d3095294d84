import type { DocumentNode } from '@svc/application/report/shown/handover/document-node.ts';
import { createElement, type ReactElement } from 'react';

/** Attributes that React calls otherwise than HTML does. */
const reactNames: Readonly<Record<string, string>> = { class: 'className', colspan: 'colSpan' };

/** A document as elements of the page, instead of as a file. */
export function rendered({ tag, attributes, children }: DocumentNode, key?: number): ReactElement {
  const own = Object.entries(attributes).map(([name, value]) => [reactNames[name] ?? name, value] as const);
  const inner = children.map((child, place) => (typeof child === 'string' ? child : rendered(child, place)));
  return createElement(tag, { ...Object.fromEntries(own), key }, ...(inner.length > 0 ? [inner] : []));
}
