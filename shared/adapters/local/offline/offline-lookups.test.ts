import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mmdbOf } from '../../testing/mmdb-writer.ts';
import { silentLog } from '../../testing/silent-log.ts';
import { HashFilter } from './hash-filter.ts';
import { KnownHashes } from './known-hashes.ts';
import { FileLookups } from './offline-lookups.ts';
import { digestsOf, sortHashes } from './sort-hashes.ts';

let folder: string;
let now = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-offline-'));
  now = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const path = (name: string): string => join(folder, name);
const hash = (kind: 'md5' | 'sha1' | 'sha256', of: string | number): string =>
  createHash(kind).update(String(of)).digest('hex');

function lookups(networks: readonly string[], knownHashes: string | null = null): FileLookups {
  return new FileLookups({ networks, knownHashes, folder: path('sorted') }, silentLog, () => now);
}

describe('addresses', () => {
  const country = { iso_code: 'NL', names: { en: 'Netherlands', de: 'Niederlande' } };

  it('have a country and a network, each of the first file that knows', async () => {
    await writeFile(path('country.mmdb'), mmdbOf([['203.0.113.0', 24, { country }]]));
    await writeFile(
      path('asn.mmdb'),
      mmdbOf([['203.0.0.0', 8, { autonomous_system_number: 64_500, autonomous_system_organization: 'Example' }]]),
    );
    const files = lookups([path('country.mmdb'), path('asn.mmdb')]);
    const asn = { number: 64_500, organization: 'Example' };
    expect(await files.network('203.0.113.9')).toEqual({ country: { code: 'NL', name: 'Netherlands' }, asn });
    expect(await files.network('203.1.0.1')).toEqual({ country: null, asn });
    for (const other of ['198.51.100.1', '2001:db8::1', 'no address', '']) {
      expect(await files.network(other)).toEqual({ country: null, asn: null });
    }
  });

  it('are read of the shapes of other vendors', async () => {
    await writeFile(
      path('other.mmdb'),
      mmdbOf([['203.0.113.0', 24, { country: 'Netherlands', country_code: 'NL', asn: 'AS64501', as_name: 'Other' }]]),
    );
    expect(await lookups([path('other.mmdb')]).network('203.0.113.9')).toEqual({
      country: { code: 'NL', name: 'Netherlands' },
      asn: { number: 64_501, organization: 'Other' },
    });
  });

  it('are read anew when the file has changed, and of the files that can be read', async () => {
    await writeFile(path('a.mmdb'), mmdbOf([['203.0.113.0', 24, { country }]]));
    await writeFile(path('b.mmdb'), 'no database');
    const files = lookups([path('b.mmdb'), path('a.mmdb'), path('missing.mmdb')]);
    expect((await files.network('203.0.113.9')).country?.code).toBe('NL');
    await writeFile(path('a.mmdb'), mmdbOf([['203.0.113.0', 24, { country: { iso_code: 'BE', names: {} } }]]));
    await utimes(path('a.mmdb'), 1, 1);
    expect((await files.network('203.0.113.9')).country?.code).toBe('NL');
    now += 30_000;
    expect((await files.network('203.0.113.9')).country).toEqual({ code: 'BE', name: 'BE' });
    await rm(path('a.mmdb'));
    await rm(path('b.mmdb'));
    now += 30_000;
    expect(await files.network('203.0.113.9')).toEqual({ country: null, asn: null });
  });
});

describe('hashes of known files', () => {
  const lines = [
    [
      'NSRL',
      `"${hash('sha1', 1).toUpperCase()}","${hash('md5', 1).toUpperCase()}","0F0F0F0F","a.dll",100,1,"362",""`,
      2,
    ],
    ['sha256sum', `${hash('sha256', 1)} *${hash('md5', 9)}`, 1],
    ['sha256sum of a text, called like a hash', `${hash('sha256', 1)}  ${hash('md5', 9)}`, 1],
    ['hashdeep', `1234,${hash('md5', 1)},${hash('sha256', 1)},/bin/${hash('md5', 9)}`, 2],
    ['a bare hash', hash('md5', 1), 1],
    ['a header', '"SHA-1","MD5","CRC32","FileName"', 0],
    ['a comment', `# ${hash('md5', 1)}`, 0],
    ['a file that is called like a hash', `"setup.exe","${hash('md5', 9)}"`, 0],
  ] as const;
  it.each(lines)('%s', (_, line, many) => {
    const found = digestsOf(line);
    expect(found).toHaveLength(many);
    expect(found).not.toContain(hash('md5', 9));
  });

  it('are all found, whatever their kind, and no others', async () => {
    const many = 700;
    const rows = Array.from(
      { length: many },
      (_, nth) => `"${hash('sha1', nth).toUpperCase()}","${hash('md5', nth)}","00000000","${nth}.dll"`,
    );
    await writeFile(path('list.txt'), `"SHA-1","MD5","CRC32","FileName"\r\n${[...rows, ...rows].join('\r\n')}\r\n`);
    await sortHashes(path('list.txt'), path('form'));
    expect((await stat(path('form/md5.sorted'))).size).toBe(many * 16);
    expect(await readdir(folder)).toEqual(['form', 'list.txt']);
    const known = await KnownHashes.open(path('form'));
    try {
      for (let nth = 0; nth < many; nth += 1) {
        if (!(await known.has(hash('md5', nth)))) expect.fail(`md5 of ${nth}`);
        if (!(await known.has(hash('sha1', nth).toUpperCase()))) expect.fail(`sha1 of ${nth}`);
      }
      for (let nth = many; nth < 2 * many; nth += 1) if (await known.has(hash('md5', nth))) expect.fail(`${nth}`);
      expect([await known.has(hash('sha256', 1)), await known.has('no hash'), await known.has('')]).toEqual([
        null,
        null,
        null,
      ]);
    } finally {
      await known.close();
    }
  });

  it('are in a filter of three bytes each at most, which errs in one of ten thousand at most', () => {
    const many = 100_000;
    const filter = HashFilter.for(many);
    const digest = (nth: number) => createHash('md5').update(String(nth)).digest();
    for (let nth = 0; nth < many; nth += 1) filter.add(digest(nth));
    expect(filter.bytes.length).toBeLessThanOrEqual(3 * many);
    let wrong = 0;
    for (let nth = many; nth < 3 * many; nth += 1) if (filter.mayHave(digest(nth))) wrong += 1;
    // The same of the same digests, always.
    expect(wrong).toBeLessThanOrEqual(20);
  });

  it('are sorted again when the list has changed, and once for each', async () => {
    await writeFile(path('list.txt'), `${hash('md5', 1)}\n`);
    const files = lookups([], path('list.txt'));
    await files.settled();
    expect([await files.knownGood(hash('md5', 1)), await files.knownGood(hash('md5', 2))]).toEqual([true, false]);
    const [before] = await readdir(path('sorted'));
    const again = lookups([], path('list.txt'));
    await again.settled();
    expect(await again.knownGood(hash('md5', 1))).toBe(true);
    await again.close();
    await writeFile(path('list.txt'), `${hash('md5', 2)}\n${hash('md5', 3)}\n`);
    now += 30_000;
    await files.settled();
    expect([await files.knownGood(hash('md5', 1)), await files.knownGood(hash('md5', 2))]).toEqual([false, true]);
    expect(await readdir(path('sorted'))).toHaveLength(1);
    expect(await readdir(path('sorted'))).not.toContain(before);
    await files.close();
  }, 60_000);

  it('are none without a list, and of one that is none', async () => {
    expect(await lookups([]).knownGood(hash('md5', 1))).toBeNull();
    await mkdir(path('a-folder'));
    const files = lookups([], path('a-folder'));
    await files.settled();
    expect(await files.knownGood(hash('md5', 1))).toBeNull();
  });
});
