import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { isApiRequest } from '../shared/contracts/routing.ts';
import { budget } from './build/budget.ts';
import { leanContracts } from './build/lean-contracts.ts';
import { moduleList } from './build/module-list.ts';
import { precompress } from './build/precompress.ts';

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
        // What the page needs before anything is clicked is one script: cut in twenty it compresses 5 % worse.
        codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] },
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
