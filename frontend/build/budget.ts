import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Most bytes, gzip, of the scripts that a page needs before anything on it is clicked (decision 3), by its module. */
const limits = { 'src/main.tsx': 150_000, 'app/pages/job-page.tsx': 300_000 };
/** Most scripts that such a page is in: a browser fetches six at once, and a report waits for all of its page. */
const mostScripts = 20;

/** Fails the build when the scripts of a page outgrow their budget; `main.tsx` is with every page. */
export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    // Only then a script has its list of what other pages need.
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const scriptsOf = (module: string): Set<(typeof chunks)[number]> => {
        const found = new Set<(typeof chunks)[number]>();
        const visit = (chunk: (typeof chunks)[number] | undefined) => {
          if (!chunk || found.has(chunk)) return;
          found.add(chunk);
          for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
        };
        visit(chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))));
        return found;
      };
      const everywhere = scriptsOf('src/main.tsx');
      for (const [module, limit] of Object.entries(limits)) {
        const scripts = scriptsOf(module);
        if (scripts.size === 0) this.error(`There is no ${module}, which has a budget.`);
        const needed = [...new Set([...everywhere, ...scripts])];
        const sizes = needed.map(({ code }) => gzipSync(code, { level: 9 }).length);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        this.info(`${module}: ${(total / 1000).toFixed(1)} kB gzip of ${limit / 1000} kB`);
        if (total > limit) this.error(`The scripts of ${module} are ${total} bytes gzip; the budget is ${limit}.`);
        if (sizes.length > mostScripts) {
          const names = needed.map(({ name, moduleIds }) => `${name} (${moduleIds.length})`).join(', ');
          this.error(
            `${module} needs ${sizes.length} scripts, of which ${mostScripts} are the most: see \`codeSplitting\`. They are ${names}.`,
          );
        }
      }
    },
  };
}
