import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const maps = new Map<string, SourceMap | null>();

/**
 * A stack with places in bundles replaced by those in the sources, as far as maps lie beside the bundles. They are
 * read when there is an error to explain, where Node.js with --enable-source-maps reads them at every start.
 */
export function originalStack(stack: string): string {
  return stack.replace(/(?:file:\/\/)?(\/[^\s():]+\.mjs):(\d+):(\d+)/g, (place: string, path: string, line, column) => {
    const origin = mapOf(path)?.findOrigin(Number(line), Number(column));
    return origin !== undefined && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
}

function mapOf(path: string): SourceMap | null {
  if (!maps.has(path)) maps.set(path, readMap(path));
  return maps.get(path) ?? null;
}

function readMap(path: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    // A program without a map is read as it is.
    return null;
  }
}
