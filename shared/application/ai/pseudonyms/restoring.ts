import type { Pseudonym, Restorer } from '../prompt.ts';

/** Puts names in place of their tokens, in whatever capitals, also where a token comes in several pieces. */
export function restoring(pseudonyms: readonly Pseudonym[]): Restorer {
  const values = new Map(pseudonyms.map(({ token, value }) => [token.toUpperCase(), value]));
  const tokens = [...values.keys()].sort((a, b) => b.length - a.length);
  const longest = tokens[0]?.length ?? 0;
  const pattern = tokens.length === 0 ? null : new RegExp(tokens.map(escaped).join('|'), 'giu');
  const restored = (text: string): string =>
    pattern === null ? text : text.replaceAll(pattern, (token) => values.get(token.toUpperCase())!);
  /** Where the end of a text begins that a longer token may begin with, but for ends within a token that is whole. */
  const beginning = (text: string, isWithin: (at: number) => boolean): number => {
    for (let from = Math.max(0, text.length - longest + 1); from < text.length; from += 1) {
      const end = text.slice(from).toUpperCase();
      const isBegun = tokens.some((token) => token.length > end.length && token.startsWith(end));
      if (isBegun && !isWithin(from)) return from;
    }
    return text.length;
  };
  let held = '';
  return {
    push: (delta) => {
      const text = held + delta;
      const whole = pattern === null ? [] : [...text.matchAll(pattern)];
      const isWithin = (at: number) => whole.some(({ 0: { length }, index }) => index < at && at < index + length);
      const from = beginning(text, isWithin);
      held = text.slice(from);
      return restored(text.slice(0, from));
    },
    flush: () => {
      const rest = restored(held);
      held = '';
      return rest;
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
