import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const LIMIT = 150_000;

/** Fails the build when the scripts that the page needs before anything is clicked outgrow their budget (decision 3). */
export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const initial = new Set<string>();
      const visit = (name: string) => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || initial.has(name)) return;
        initial.add(name);
        chunk.imports.forEach(visit);
      };
      for (const [name, chunk] of Object.entries(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(name);
      const sizes = [...initial].map((name) => {
        const chunk = bundle[name];
        return chunk?.type === 'chunk' ? gzipSync(chunk.code).length : 0;
      });
      const total = sizes.reduce((sum, size) => sum + size, 0);
      this.info(`initial script: ${(total / 1000).toFixed(1)} kB gzip of ${LIMIT / 1000} kB`);
      if (total > LIMIT) this.error(`The initial script is ${total} bytes gzip; the budget is ${LIMIT}.`);
    },
  };
}
