import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chapters } from '../../frontend/src/features/system/guide/chapters.ts';
import {
  pictureFile,
  pictures,
  pictureThemes,
  pictureWidth,
  type PictureName,
} from '../../frontend/src/features/system/guide/pictures.ts';
import { mostBytes, pictureFolder } from './picture-files.ts';

const named = chapters.flatMap(({ blocks }) =>
  blocks.flatMap((block) => (block.kind === 'picture' ? [block.name] : [])),
);
const files = (name: PictureName): string[] => pictureThemes.map((theme) => pictureFile(name, theme));

/** Width and height of a WebP file in the extended format, less one in three bytes each, as Chromium writes it. */
function sizeOf(bytes: Buffer): { width: number; height: number } {
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

describe('pictures of the guide', () => {
  it('are in a chapter each, and no file is left over', () => {
    expect(named.toSorted()).toEqual(Object.keys(pictures).toSorted());
    expect(readdirSync(pictureFolder).toSorted()).toEqual(named.flatMap(files).toSorted());
  });

  it.each(named)('%s has the size that it states, in both themes, and words for those who cannot see it', (name) => {
    const { alt, caption, height } = pictures[name];
    for (const file of files(name)) {
      const bytes = readFileSync(join(pictureFolder, file));
      expect(sizeOf(bytes)).toEqual({ width: pictureWidth, height });
      expect(bytes.length).toBeLessThanOrEqual(mostBytes);
    }
    expect(alt.length).toBeGreaterThan(40);
    expect(caption).not.toBe('');
    expect(alt).not.toBe(caption);
  });
});
