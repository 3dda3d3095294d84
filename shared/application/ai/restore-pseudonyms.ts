import type { Pseudonym, Restorer } from './prompt.ts';

/** Puts names in place of their tokens, also where a token comes in several pieces. */
export function restoring(pseudonyms: readonly Pseudonym[]): Restorer {
  const values = new Map(pseudonyms.map(({ token, value }) => [token, value]));
  const tokens = [...values.keys()].sort((a, b) => b.length - a.length);
  const longest = tokens[0]?.length ?? 0;
  const pattern = tokens.length === 0 ? null : new RegExp(tokens.map(escaped).join('|'), 'gu');
  const restored = (text: string): string =>
    pattern === null ? text : text.replaceAll(pattern, (token) => values.get(token)!);
  let held = '';
  return {
    push: (delta) => {
      const text = held + delta;
      const keep = beginning(text, tokens, longest);
      held = text.slice(text.length - keep);
      return restored(text.slice(0, text.length - keep));
    },
    flush: () => {
      const rest = restored(held);
      held = '';
      return rest;
    },
  };
}

/** Characters at the end of a text that a longer token may begin with, be they a token themselves or not. */
function beginning(text: string, tokens: readonly string[], longest: number): number {
  for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (tokens.some((token) => token.length > length && token.startsWith(end))) return length;
  }
  return 0;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
