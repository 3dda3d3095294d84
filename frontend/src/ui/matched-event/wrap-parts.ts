import type { Mark } from './evidence.ts';

/** A piece of a value that stays in one line where it can. */
export interface WrapPart {
  readonly text: string;
  readonly isBlank: boolean;
  /** The marks of the value that fall in it, counted from its own start. */
  readonly marks: readonly Mark[];
}

/** Arguments, of which one may hold blanks in double quotes, and the blanks between them. */
const commandLine = /\s+|(?:"[^"]*"?|[^\s"])+/g;
/** Digests, each with the comma behind it. */
const digests = /[^,]*,|[^,]+/g;
const whole = /^[^]+$/g;

/** The value of a field cut where its lines may be wrapped, which its name tells; most are left whole. */
export function wrapParts(name: string, text: string, marks: readonly Mark[]): WrapPart[] {
  const pattern = /command_?line$/i.test(name) ? commandLine : /^hashes$/i.test(name) ? digests : whole;
  return [...text.matchAll(pattern)].map(({ 0: part, index: start }) => {
    const inside = marks.map(([from, to]): Mark => [Math.max(from - start, 0), Math.min(to - start, part.length)]);
    return { text: part, isBlank: part.trim() === '', marks: inside.filter(([from, to]) => from < to) };
  });
}
