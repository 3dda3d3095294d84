import type { Random } from '../samples/random.ts';

const atoms = [
  'a',
  'b',
  'ab',
  '.',
  '\\w',
  '\\W',
  '\\d',
  '\\s',
  '[ab]',
  '[^b]',
  '[a-z0-9_]',
  'é',
  '\\x61',
  '\\.',
  '\\p{L}',
];
const asserts = ['^', '$', '\\b', '\\B', '\\A', '\\z'];
const quantifiers = ['', '', '', '*', '+', '?', '*?', '+?', '{2}', '{1,9}', '{0,40}', '{3,}', '{20}', '*+'];
const openings = ['(', '(?:', '(?i:', '(?=', '(?!', '(?<=', '(?<!', '(?P<n>'];
const flags = ['', '|i', '|m', '|s'];
const units = ['a', 'b', 'ab', 'aab', 'a ', 'A1', '_', 'é', 'a\n'];
const longestText = 20_000;

/** A rule with a regular expression of any form, and an event with a text that it takes long over if anything does. */
export function regexCase(random: Random): { readonly rule: string; readonly event: string } {
  const pattern = sequence(random, 3).slice(0, 200).replaceAll("'", "''");
  const unit = random.pick(units);
  const times = Math.floor(random.pick([3, 30, 300, longestText]) / unit.length);
  const text = unit.repeat(times) + random.pick(['', '!', 'b', 'c\n']);
  const rule = `title: x\nlogsource: {product: windows}\ndetection:\n  s:\n    A|re${random.pick(flags)}: '${pattern}'\n  condition: s\n`;
  return { rule, event: JSON.stringify({ EventID: 1, Channel: 'Security', A: text }) };
}

function sequence(random: Random, depth: number): string {
  return Array.from({ length: random.int(1, 4) }, () => part(random, depth)).join('');
}

function part(random: Random, depth: number): string {
  const kind = random.int(0, 9);
  if (kind === 0) return random.pick(asserts);
  if (kind < 6 || depth === 0) return random.pick(atoms) + random.pick(quantifiers);
  const branches = Array.from({ length: random.int(1, 3) }, () => sequence(random, depth - 1)).join('|');
  return `${random.pick(openings)}${branches})${random.pick(quantifiers)}`;
}
