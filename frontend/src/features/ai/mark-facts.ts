import type { AiFact } from '@svc/contracts';

/** A stretch of text that is a value of an answer; `fact` is its place in the list. */
export interface MarkedPlace {
  readonly from: number;
  readonly to: number;
  readonly fact: number;
}

/** Finds values in texts: the longest of those that begin together, each as no part of a longer word. */
export function factFinder(facts: readonly AiFact[]): (text: string) => MarkedPlace[] {
  const places = new Map<string, number>();
  for (const [place, { value }] of facts.entries())
    if (!places.has(value.toLowerCase())) places.set(value.toLowerCase(), place);
  const values = [...places.keys()].sort((a, b) => b.length - a.length);
  if (values.length === 0) return () => [];
  const any = values.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'giu');
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const fact = places.get(found.toLowerCase());
      return fact === undefined ? [] : [{ from: index, to: index + found.length, fact }];
    });
}

/** Puts an element of `make` in the place of each value below a node. */
export function markFacts(
  root: DocumentFragment,
  find: (text: string) => readonly MarkedPlace[],
  make: (fact: number, text: string) => HTMLElement,
): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const node of texts) {
    const text = node.data;
    const marked = find(text);
    if (marked.length === 0) continue;
    const pieces: (string | HTMLElement)[] = [];
    let at = 0;
    for (const { from, to, fact } of marked) {
      pieces.push(text.slice(at, from), make(fact, text.slice(from, to)));
      at = to;
    }
    node.replaceWith(...pieces, text.slice(at));
  }
}
