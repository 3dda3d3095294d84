import type { Mark } from './evidence.ts';

/** An argument of a command line, or the blanks between two. */
export interface CommandPart {
  readonly text: string;
  readonly isBlank: boolean;
  /** The marks of the command line that fall in it, counted from its own start. */
  readonly marks: readonly Mark[];
}

/** Whether a field holds a command line, by its name. */
export function isCommandLine(name: string): boolean {
  return /command_?line$/i.test(name);
}

/** A command line cut where it may be wrapped; what stands in double quotes stays whole. */
export function splitArguments(text: string, marks: readonly Mark[]): CommandPart[] {
  return [...text.matchAll(/\s+|(?:"[^"]*"?|[^\s"])+/g)].map(({ 0: part, index: start }) => {
    const inside = marks.map(([from, to]): Mark => [Math.max(from - start, 0), Math.min(to - start, part.length)]);
    return { text: part, isBlank: part.trim() === '', marks: inside.filter(([from, to]) => from < to) };
  });
}
