import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchEffort } from './regex-effort.ts';
import { parseRegex, type RegexNode } from './regex-syntax.ts';

/** Steps of a search that tries all ways one after another until one is found. */
function stepsOf(node: RegexNode, text: string, isMultiline: boolean): number {
  let steps = 0;
  const holds = (what: string, at: number): boolean => {
    const isWord = (place: number): boolean => /\w/.test(text[place] ?? '');
    if (what === 'word' || what === 'noWord') return (isWord(at - 1) !== isWord(at)) === (what === 'word');
    if (what.endsWith('Start')) return at === 0 || (what === 'lineStart' && isMultiline && text[at - 1] === '\n');
    return at === text.length || (what === 'lineEnd' && isMultiline && text[at] === '\n');
  };
  const isIn = ({ ranges, negated }: Extract<RegexNode, { kind: 'set' }>['set'], at: number): boolean => {
    const point = text.charCodeAt(at);
    return at < text.length && ranges.some(([low, high]) => low <= point && point <= high) !== negated;
  };
  const tryAll = (one: RegexNode, at: number, then: (at: number) => boolean): boolean => {
    steps++;
    switch (one.kind) {
      case 'set':
        return isIn(one.set, at) && then(at + 1);
      case 'assert':
        return holds(one.what, at) && then(at);
      case 'sequence': {
        const from = (part: number, place: number): boolean =>
          part === one.of.length ? then(place) : tryAll(one.of[part]!, place, (next) => from(part + 1, next));
        return from(0, at);
      }
      case 'choice':
        return one.of.some((part) => tryAll(part, at, then));
      case 'repeat': {
        const from = (time: number, place: number): boolean => {
          const more = (next: number): boolean => (next > place || time < one.least) && from(time + 1, next);
          return (time < one.most && tryAll(one.of, place, more)) || (time >= one.least && then(place));
        };
        return from(0, at);
      }
      case 'look':
        throw new Error('not looked at here');
    }
  };
  for (let at = 0; at <= text.length; at++) if (tryAll(node, at, () => true)) break;
  return steps;
}

describe('searchEffort', () => {
  it('is no less than what trying all ways takes', () => {
    const one = fc.constantFrom('a', 'b', 'ab', 'aab', '.', '[ab]', '[^a]', '\\w', '\\s', 'c');
    const many = fc.tuple(one, fc.constantFrom('*', '+', '?', '{1,3}', '{2}', '{2,}')).map(([of, times]) => {
      return of.length > 1 && !/^[[\\]/.test(of) ? `(?:${of})${times}` : of + times;
    });
    const part = fc.oneof(one, many, fc.constantFrom('^', '$', '\\b', '\\B', '\\z'));
    const sequence = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const group = fc
      .tuple(fc.array(sequence, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}'))
      .map(([parts, times]) => `(?:${parts.join('|')})${times}`);
    const pattern = fc.array(fc.oneof(sequence, group), { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    const piece = fc.constantFrom('a', 'b', 'ab', 'aab', ' ', '\n', 'c', 'aaaa', 'abab', '  ');
    const text = fc.oneof(
      fc.array(piece, { maxLength: 10 }).map((all) => all.join('')),
      fc.tuple(piece, fc.nat({ max: 12 })).map(([of, times]) => of.repeat(times)),
    );
    let finite = 0;
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(text, { minLength: 4, maxLength: 4 }),
        (source, isMultiline, texts) => {
          const node = parseRegex(source, false);
          const effort = searchEffort(node, isMultiline ? 'm' : '');
          for (const given of texts) {
            const bound = effort(given.length);
            if (bound > 1e5) continue;
            finite++;
            // What is counted here are also the parts that others lie in, and the beginning of each.
            const taken = stepsOf(node, given, isMultiline);
            if (taken > 3 * bound + 50) expect([source, given, taken]).toEqual([source, given, bound]);
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 3000) },
    );
    expect(finite).toBeGreaterThan(5000);
  });
});
