/** Colours that a tag can have; one tag has one, instance-wide (resolved-platform 13.1). */
export const tagColors = [
  'gray',
  'red',
  'rose',
  'orange',
  'amber',
  'yellow',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'purple',
] as const;
export type TagColor = (typeof tagColors)[number];

/** Most tags of one request, and longest name and description of one in characters. */
export const tagLimits = { count: 10, length: 50, description: 300 } as const;

export interface Tag {
  readonly name: string;
  readonly color: TagColor;
}

/**
 * Names in comma lists as the vocabulary holds them: trimmed, lower-case, cut at 50 characters, without
 * control characters; blanks and duplicates drop out. How many there may be is the caller's to say.
 */
export function tagNames(lists: string | readonly string[]): string[] {
  return [...new Set(pieces(lists).map(tagName))].filter((name) => name !== '');
}

/** One name as the vocabulary holds it; empty when nothing is left of it. */
export function tagName(text: string): string {
  const clean = text
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .toLowerCase();
  return Array.from(clean).slice(0, tagLimits.length).join('').trim();
}

/** The colour of this name; gray for what is none. */
export function tagColor(text: string): TagColor {
  return tagColors.find((color) => color === text.trim().toLowerCase()) ?? 'gray';
}

/**
 * Tags of index-aligned comma lists of names and colours. A missing colour repeats the one before; null
 * when there is none, which leaves the tag its own.
 */
export function pairedTags(
  names: string | readonly string[],
  colors: string | readonly string[],
): { name: string; color: TagColor | null }[] {
  const sent = pieces(colors).filter((color) => color.trim() !== '');
  const paired = new Map<string, TagColor | null>();
  for (const [index, text] of pieces(names).entries()) {
    const name = tagName(text);
    const color = sent[Math.min(index, sent.length - 1)];
    if (name !== '' && !paired.has(name)) paired.set(name, color === undefined ? null : tagColor(color));
  }
  return [...paired].map(([name, color]) => ({ name, color }));
}

function pieces(lists: string | readonly string[]): string[] {
  return [lists].flat().flatMap((list) => list.split(','));
}
