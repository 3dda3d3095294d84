/** An element of a document that is made without a browser. What is put into it is text, whoever wrote it. */
export interface DocumentNode {
  /** Of the document's own making, as are the names of attributes. */
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (DocumentNode | string)[];
}

type Child = DocumentNode | string | null | false | readonly Child[];

/** An element with its children, of which some may be missing. */
export function node(tag: string, attributes: DocumentNode['attributes'], ...children: readonly Child[]): DocumentNode {
  return { tag, attributes, children: present(children) };
}

function present(children: readonly Child[]): (DocumentNode | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === false) return [];
    if (typeof child === 'string') return shownText(child);
    return 'tag' in child ? child : present(child);
  });
}

const unseen =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udfff]/gu;

/** Text with what cannot be seen, or would turn what is around it, written out: `\u{202e}`. */
function shownText(text: string): string {
  return text.replace(unseen, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}

/** The element as HTML, or as SVG within it. */
export function toHtml({ tag, attributes, children }: DocumentNode): string {
  const own = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : toHtml(child)));
  return `<${tag}${own.join('')}>${inner.join('')}</${tag}>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!);
}
