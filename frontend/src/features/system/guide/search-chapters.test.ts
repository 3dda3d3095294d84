import { describe, expect, it } from 'vitest';
import { chapters } from './chapters.ts';
import { searchChapters } from './search-chapters.ts';

describe('searchChapters', () => {
  it('is the whole guide without a query', () => {
    expect(searchChapters(chapters, ' ')).toEqual(chapters);
  });

  it('keeps the blocks that have all words, and whole chapters by their title', () => {
    const found = searchChapters(chapters, 'curl upload');
    expect(found.map(({ id }) => id)).toEqual(['submitting']);
    expect(found[0]!.blocks).toHaveLength(1);
    const whole = chapters.find(({ id }) => id === 'severity');
    expect(searchChapters(chapters, 'severity').find(({ id }) => id === 'severity')).toEqual(whole);
    expect(searchChapters(chapters, 'xyzzy')).toEqual([]);
  });
});
