import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readableTypes } from '@svc/engine';
import { Campaign } from './campaign.ts';
import { targets } from './targets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('fuzzing', () => {
  const all = targets(root);
  const campaign = new Campaign(all, 1);

  it('has seeds for every reader', () => {
    const names = all.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...readableTypes, 'parts', 'gzip', 'zip', 'regexes', 'rules']));
  });

  it.each(all.map(({ name }, index) => [name, index] as const))(
    'of %s finds nothing in its first inputs',
    async (_, at) => {
      for (let turn = 0; turn < 50; turn++) expect(await campaign.try(at + turn * all.length)).toBeUndefined();
    },
  );

  it('gives the same input for the same number, and others for others', () => {
    const again = new Campaign(targets(root), 1);
    for (const number of [0, 7, 1000]) expect(again.input(number)).toEqual(campaign.input(number));
    expect(new Campaign(all, 2).input(7)).not.toEqual(campaign.input(7));
  });

  it('tells what throws, and what takes too long', async () => {
    const input = (): Uint8Array => new Uint8Array(0);
    const fails = { name: 'fails', input, run: () => Promise.reject(new Error('no')) };
    const hangs = {
      name: 'hangs',
      input,
      run: async () => {
        const before = process.cpuUsage();
        while (process.cpuUsage(before).user < 50_000);
        return 0;
      },
    };
    const found = new Campaign([fails, hangs], 1, 20);
    expect(await found.try(0)).toMatchObject({ number: 0, target: 'fails', reason: expect.stringContaining('no') });
    expect(await found.try(1)).toMatchObject({ target: 'hangs', reason: expect.stringMatching(/processor time/) });
  });
});
