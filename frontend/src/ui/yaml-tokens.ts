/** What a piece of YAML is, for its colour. */
export type TokenKind = 'key' | 'text' | 'number' | 'comment' | 'mark' | 'plain';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Cuts YAML into coloured lines. It reads what rules are written in, not all of YAML; the text is kept as it is. */
export function yamlLines(source: string): Token[][] {
  let block: number | null = null;
  return source.split(/\r?\n/).map((line) => {
    const indent = line.length - line.trimStart().length;
    if (block !== null) {
      if (line.trim() === '' || indent > block) return line === '' ? [] : [{ kind: 'text', text: line }];
      block = null;
    }
    const tokens = lineTokens(line);
    if (/[:-]\s+[|>][+-]?\d?\s*(#.*)?$/.test(line)) block = indent;
    return tokens;
  });
}

const opening = /^(\s*)((?:-\s+)*)(?:((?:"[^"]*"|'[^']*'|[^\s'"#[\]{}:][^#:]*?))(\s*:)(?=\s|$))?/;

function lineTokens(line: string): Token[] {
  const [head = '', indent = '', dashes = '', key = '', colon = ''] = opening.exec(line) ?? [];
  return [
    { kind: 'plain' as const, text: indent },
    { kind: 'mark' as const, text: dashes },
    { kind: 'key' as const, text: key },
    { kind: 'mark' as const, text: colon },
    ...valueTokens(line.slice(head.length)),
  ].filter(({ text }) => text !== '');
}

const value = /(\s+)|(^#.*|(?<=\s)#.*)|('(?:[^']|'')*'|"(?:[^"\\]|\\.)*")|([[\]{},])|([^\s[\]{},]+)/g;

function valueTokens(text: string): Token[] {
  return [...text.matchAll(value)].map(([all, blank, comment, quoted, mark]) => {
    if (blank !== undefined) return { kind: 'plain', text: all };
    if (comment !== undefined) return { kind: 'comment', text: all };
    if (quoted !== undefined) return { kind: 'text', text: all };
    if (mark !== undefined || /^(---|[|>][+-]?)$/.test(all)) return { kind: 'mark', text: all };
    return { kind: /^(-?\d[\d.]*|0x[\da-f]+|true|false|null)$/i.test(all) ? 'number' : 'plain', text: all };
  });
}
