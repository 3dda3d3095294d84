/** An XML element as tests compare it: its text is what stands directly in it. */
export interface XmlTree {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlTree[];
  text: string;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses a well-formed document without a document type; throws on anything else. */
export function xmlTree(source: string): XmlTree {
  const document: XmlTree = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const pattern =
    /<\?[^]*?\?>|<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>]+)([^>]*?)(\/?)>|([^<]+)/g;
  for (const [, cdata, closed, opened, attributes = '', selfClosed, text] of source.matchAll(pattern)) {
    const around = open.at(-1)!;
    if (opened !== undefined) {
      const element: XmlTree = { name: opened, attributes: attributeMap(attributes), children: [], text: '' };
      around.children.push(element);
      if (selfClosed === '') open.push(element);
    } else if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes another element`);
    } else {
      around.text += cdata ?? unescaped(text ?? '');
    }
  }
  const [root] = document.children;
  if (open.length !== 1 || root === undefined) throw new Error('not a document');
  return root;
}

function attributeMap(source: string): Record<string, string> {
  const pairs = source.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries([...pairs].map(([, name, double, single]) => [name!, unescaped(double ?? single ?? '')]));
}

function unescaped(text: string): string {
  return text.replace(/&(#x?)?([^;]+);/g, (reference, number: string | undefined, name: string) => {
    if (number === undefined) return named[name] ?? reference;
    return String.fromCodePoint(Number.parseInt(name, number === '#' ? 10 : 16));
  });
}
