import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | null = null;

/** Folder that holds `config/`, above this file whether it runs from source or from the bundle. */
export function projectRoot(): string {
  found ??= ancestorWith(join('config', 'workflows'), dirname(fileURLToPath(import.meta.url)));
  return found;
}

function ancestorWith(child: string, start: string): string {
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, child))) return at;
    if (dirname(at) === at) throw new Error(`The installation is incomplete: no ${child} above ${start}`);
  }
}
