import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpEvent, refusal } from '../support/http-events.ts';
import { functionFolder, startFunction } from '../support/lambda.ts';

const bundles = Object.keys(JSON.parse(readFileSync(join(projectRoot(), 'config/functions.json'), 'utf8')) as object);
const areas = bundles.filter((name) => name.startsWith('api-'));

const env = {
  DATABASE_URL: 'postgres://svc:svc@127.0.0.1:1/svc',
  DATA_DIR: '/nowhere/to/write',
  SECRET_KEY: '0'.repeat(64),
};

describe('bundles of functions', () => {
  it('are one per area', () => {
    const folders = readdirSync(join(projectRoot(), 'functions/api')).filter((file) => !file.endsWith('.test.ts'));
    expect(areas).toEqual(folders.map((file) => `api-${file.slice(0, -3)}`).sort());
  });

  it.each(bundles)('%s has no embedded database in it', (name) => {
    const files = readdirSync(functionFolder(name), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /pglite|\.(wasm|data)$/.test(file))).toEqual([]);
    const sources = files.filter((file) => file.endsWith('.mjs'));
    expect(sources).toContain('index.mjs');
    const holders = sources.filter((file) => /pglite/i.test(readFileSync(join(functionFolder(name), file), 'utf8')));
    expect(holders).toEqual([]);
  });

  it.each(areas)('%s answers what it does not know', async (name) => {
    const instance = await startFunction(name, env);
    try {
      expect(refusal(await instance.invoke<HttpResult>(httpEvent('GET', '/nowhere')))).toEqual([404, 'not_found']);
      expect(refusal(await instance.invoke<HttpResult>(httpEvent('GET', '/jobs/abc')))).toEqual([404, 'not_found']);
    } finally {
      await instance.stop();
    }
  });
});
