import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

const cellsOf = (line: string) => line.split('|').slice(1, -1).map((cell) => cell.trim()); // oxfmt-ignore
const lines = text.split('\n').filter((line) => line.startsWith('| '));
const rows = lines
  .map(cellsOf)
  .filter(([id]) => /^V\d+\.\d+\.\d+$/.test(id!))
  .map(([id, level, words, state, why]) => ({ id: id!, level, words, state, why: why! }));

/** Requirements of levels 1 and 2 in ASVS 5.0.0, by chapter. */
const required = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe('the table of ASVS', () => {
  it('has each requirement of levels 1 and 2 once', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(required.map((_, index) => rows.filter(({ id }) => id.startsWith(`V${index + 1}.`)).length)).toEqual(
      required,
    );
    expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
    expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
  });

  it('says of each whether it is held, with words for it and a reason', () => {
    const vague = rows.filter(({ words, state, why }) => {
      return !['held', 'not applicable', 'open'].includes(state!) || !words || !why;
    });
    expect(vague).toEqual([]);
  });

  it('names for what is held tests that are there, or documents where it asks for those', () => {
    const wrong = rows
      .filter(({ state }) => state === 'held')
      .filter(({ id, why }) => {
        const named = [...why.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
        const isProof = (path: string) =>
          path.endsWith('.test.ts') || (/^V\d+\.1\./.test(id) && /^docs\/[\w-]+\.md$/.test(path));
        return named.length === 0 || !named.every((path) => isProof(path) && existsSync(join(root, path)));
      });
    expect(wrong).toEqual([]);
  });

  it('has the right sums', () => {
    const counted = (chapter: string) =>
      ['held', 'not applicable', 'open'].map((state) =>
        String(rows.filter((row) => row.id.startsWith(chapter) && row.state === state).length),
      );
    const summary = lines.map(cellsOf).filter((cells) => cells.length === 4 && cells[0] !== 'chapter');
    const chapters = summary.filter(([name]) => /^V\d/.test(name!));
    expect(chapters).toHaveLength(17);
    for (const [name, ...counts] of chapters) expect(counts).toEqual(counted(`${name!.split(' ')[0]}.`));
    expect(summary.find(([name]) => name === 'all')?.slice(1)).toEqual(counted('V'));
  });
});
