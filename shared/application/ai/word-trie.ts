interface Node<T> {
  readonly next: Map<string, Node<T>>;
  held?: { readonly value: T };
}

/** Texts that are found within another whatever their capitals, in time that does not grow with how many there are. */
export class WordTrie<T> {
  readonly #root: Node<T> = { next: new Map() };

  /** What was said of a text first stays. */
  add(text: string, value: T): void {
    if (text === '') return;
    let node = this.#root;
    for (let at = 0; at < text.length; at++) {
      const sign = folded(text[at]!);
      let next = node.next.get(sign);
      if (next === undefined) node.next.set(sign, (next = { next: new Map() }));
      node = next;
    }
    node.held ??= { value };
  }

  /** The longest that begins at a place of a text and is accepted there; null where none is. */
  longestAt(
    text: string,
    start: number,
    accepts: (value: T, end: number) => boolean,
  ): { readonly value: T; readonly end: number } | null {
    let found: { value: T; end: number } | null = null;
    let node: Node<T> | undefined = this.#root;
    for (let at = start; at < text.length; at++) {
      node = node.next.get(folded(text[at]!));
      if (node === undefined) break;
      if (node.held !== undefined && accepts(node.held.value, at + 1)) found = { ...node.held, end: at + 1 };
    }
    return found;
  }
}

/** In lower case where that is one sign as well, so that places stay. */
function folded(sign: string): string {
  const lower = sign.toLowerCase();
  return lower.length === 1 ? lower : sign;
}

/** A text in the form in which spellings of it are one. */
export function foldedText(text: string): string {
  return Array.from({ length: text.length }, (_, at) => folded(text[at]!)).join('');
}

/** Whether what stands between two places is no part of a longer word. */
export function isWhole(text: string, start: number, end: number): boolean {
  const isPart = /[\p{L}\p{N}]/u;
  return !isPart.test(text[start - 1] ?? '') && !isPart.test(text[end] ?? '');
}
