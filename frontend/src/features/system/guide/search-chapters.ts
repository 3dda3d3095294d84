import type { Block, Chapter } from './blocks.ts';
import { pictures } from './pictures.ts';

/** Chapters cut down to the blocks that have every word of the query; a title that has them keeps its chapter whole. */
export function searchChapters(chapters: readonly Chapter[], query: string): Chapter[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return chapters
    .map((chapter) => ({
      ...chapter,
      blocks: has(chapter.title) ? chapter.blocks : chapter.blocks.flatMap((block) => cut(block, has)),
    }))
    .filter(({ blocks }) => blocks.length > 0);
}

function cut(block: Block, has: (text: string) => boolean): Block[] {
  if (block.kind === 'list') {
    const items = block.items.filter(has);
    return items.length > 0 ? [{ ...block, items }] : [];
  }
  if (block.kind === 'table') {
    const rows = block.rows.filter((row) => has(row.join(' ')));
    return rows.length > 0 ? [{ ...block, rows }] : [];
  }
  const words = block.kind === 'picture' ? pictures[block.name].caption : block.text;
  return has(words) ? [block] : [];
}
