// Takes the pictures of the guide in headless Chromium: the built product with the shipped samples, in both themes.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  pictureFile,
  pictures,
  pictureThemes,
  pictureWidth,
  type PictureName,
} from '../../frontend/src/features/system/guide/pictures.ts';
import { launchChromium, signInAsAdmin } from '../support/chromium.ts';
import { startServer } from '../support/server.ts';
import { mostBytes, pictureFolder } from './picture-files.ts';
import { scenes } from './scenes.ts';

const windowWidth = 1440;
/** Tried in this order, until a picture is small enough. */
const qualities = [0.8, 0.7, 0.6, 0.5];

/** The screenshot scaled down and compressed, which Chromium does as well as any library. */
async function toWebp(canvas: Page, png: Buffer, height: number): Promise<Buffer> {
  const tries = await canvas.evaluate(
    async ({ source, size, qualities: all }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const element = Object.assign(document.createElement('canvas'), size);
      const drawing = element.getContext('2d')!;
      drawing.imageSmoothingQuality = 'high';
      drawing.drawImage(image, 0, 0, size.width, size.height);
      return all.map((quality) => element.toDataURL('image/webp', quality).split(',')[1]!);
    },
    { source: png.toString('base64'), size: { width: pictureWidth, height }, qualities },
  );
  const small = tries.map((base64) => Buffer.from(base64, 'base64')).find(({ length }) => length <= mostBytes);
  if (!small) throw new Error(`a picture of at most ${mostBytes} bytes cannot be made of this page`);
  return small;
}

/** The page as it stands, in every theme, by the name of its file. */
async function take(page: Page, canvas: Page, name: PictureName): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const theme of pictureThemes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`[data-mantine-color-scheme=${theme}]`).waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = await toWebp(canvas, await page.screenshot({ animations: 'disabled' }), pictures[name].height);
    files.set(pictureFile(name, theme), bytes);
  }
  return files;
}

async function takeAll(browser: Browser): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const server = await startServer();
  try {
    // Twice the pixels, so that scaling them down leaves letters clear.
    const page = await browser.newPage({ deviceScaleFactor: 2 });
    await signInAsAdmin(page, server);
    const canvas = await browser.newPage();
    for (const [key, scene] of Object.entries(scenes)) {
      const name = key as PictureName;
      await page.setViewportSize({ width: windowWidth, height: (pictures[name].height * windowWidth) / pictureWidth });
      await scene(page, server.url);
      for (const [file, bytes] of await take(page, canvas, name)) files.set(file, bytes);
    }
    return files;
  } finally {
    await server.stop();
    await server.remove();
  }
}

const browser = await launchChromium();
try {
  const files = await takeAll(browser);
  for (const old of readdirSync(pictureFolder)) rmSync(join(pictureFolder, old));
  for (const [file, bytes] of files) {
    writeFileSync(join(pictureFolder, file), bytes);
    process.stdout.write(`${file}: ${bytes.length} bytes\n`);
  }
} finally {
  await browser.close();
}
