import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { isApiRequest } from '../shared/contracts/routing.ts';
import { budget } from './build/budget.ts';
import { leanContracts } from './build/lean-contracts.ts';
import { moduleList } from './build/module-list.ts';
import { precompress } from './build/precompress.ts';

/** Icons, fields, tabs and the like. */
const smallParts =
  /@tabler[\\/]|@mantine[\\/](hooks|core[\\/]esm[\\/]components[\\/](Input|InlineInput|Switch|NativeSelect|CloseButton|Checkbox|Textarea))[\\/]|[\\/]src[\\/]ui[\\/](choice|copy-button|door|door-of|filter-chip|form|form-fields|link-button|option-field|page-head|pager|progress|search-field|switcher|severity-chips|table|tabs|tactic-names|tag|toggled-severity|use-rows-in-sight)\.|[\\/]src[\\/]api[\\/]save-blob\.|[\\/]shared[\\/]domain[\\/]/;
const modules = moduleList('../dist/packages/web-modules.json');
const service = 'http://127.0.0.1:8000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: '../node_modules/.cache/vite',
  plugins: [leanContracts(), react(), budget(), precompress(), modules.pages],
  worker: { plugins: () => [modules.workers] },
  resolve: {
    alias: [
      // The browser carries no schemas (docs/decisions/0003): 27 kB gzip that check what the service has checked.
      { find: /^zod$/, replacement: fileURLToPath(new URL('src/api/schema-stand-in.ts', import.meta.url)) },
      {
        find: /^use-sync-external-store\/shim$/,
        replacement: fileURLToPath(new URL('src/api/external-store.ts', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The first script lists what each page needs: names in two hundred places are a kilobyte of it.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: ({ names }) =>
          `assets/${names.some((name) => name.endsWith('.css')) ? '' : '[name]-'}[hash:7][extname]`,
        // What the page needs before anything is clicked is one script: cut in twenty it compresses 5 % worse.
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'], priority: 2 },
            // Nearly every page has most of these, which by themselves are forty files of a few hundred bytes: a browser
            // asks for six at once, and what a report holds would wait behind them.
            { name: 'parts', test: smallParts, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/': {
        target: service,
        // The service's own routing rule decides; what it leaves is the page and its modules.
        bypass: ({ method = 'GET', url = '/', headers }) =>
          isApiRequest({ method, path: new URL(url, service).pathname, accept: headers.accept ?? '' })
            ? undefined
            : url,
      },
    },
  },
});
