import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Writes down the modules that pages and workers are made of: whose licences have to go with them. */
export function moduleList(file: string): { readonly pages: Plugin; readonly workers: Plugin } {
  const modules = new Set<string>();
  let root = '';
  const collect: Pick<Plugin, 'apply' | 'generateBundle'> = {
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') for (const id of output.moduleIds) modules.add(id);
      }
      // Style sheets leave their chunks for files of their own.
      for (const id of this.getModuleIds()) if (/\.css(\?|$)/.test(id)) modules.add(id);
    },
  };
  return {
    workers: { name: 'module-list-workers', ...collect },
    pages: {
      name: 'module-list',
      ...collect,
      configResolved(config) {
        root = config.root;
      },
      closeBundle() {
        const path = join(root, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `${JSON.stringify([...modules].sort(), null, 2)}\n`);
      },
    },
  };
}
