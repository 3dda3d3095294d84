import { zipSync } from 'fflate';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { type TarFile, tarOf } from '../testing/tar-writer.ts';
import { PackError, readPack } from './read-pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(bytes: Uint8Array): string {
  const path = join(folder, `pack-${++files}`);
  writeFileSync(path, bytes);
  return path;
}

const text = (value: string): Uint8Array => Buffer.from(value);
const zip = (content: Record<string, Uint8Array>): Uint8Array => zipSync(content);
const tar = (...content: TarFile[]): Uint8Array => gzipSync(tarOf(content));

const content = {
  'sigma/rules/b.yml': 'title: B\n',
  'sigma/rules/a.yaml': 'title: Ä\n',
  'sigma/.github/ci.yml': 'on: push\n',
  'sigma/README.md': '# Rules\n',
  'sigma/LICENSE.txt': 'Detection Rule License (DRL) 1.1\n\nPermission …\n',
  'sigma/rules/LICENSE': 'Another\n',
  'licence-accepted.test.json': '{}',
  'sigma/pack.json': '{"name": "own"}',
  'sigma/version.txt': 'Label: r2026-08-05\n',
};
const packed = Object.fromEntries(Object.entries(content).map(([name, value]) => [name, text(value)]));

describe('a pack', () => {
  it.each([
    ['a zip archive', () => file(zip(packed))],
    ['a gzipped tar', () => file(tar(...Object.entries(packed).map(([name, bytes]) => ({ name, bytes }))))],
    [
      'a folder',
      async () => {
        const root = mkdtempSync(join(folder, 'tree-'));
        for (const [name, bytes] of Object.entries(packed)) {
          await mkdir(join(root, name, '..'), { recursive: true });
          await writeFile(join(root, name), bytes);
        }
        await symlink('/etc/hostname', join(root, 'sigma/rules/link.yml'));
        return root;
      },
    ],
  ])('is read of %s', async (_, make) => {
    expect(await readPack(await make())).toEqual({
      rules: [
        { path: 'sigma/rules/a.yaml', text: 'title: Ä\n' },
        { path: 'sigma/rules/b.yml', text: 'title: B\n' },
      ],
      licence: content['sigma/LICENSE.txt'],
      manifest: content['sigma/pack.json'],
      release: content['sigma/version.txt'],
    });
  });

  it('may have names of any length in a tar', async () => {
    const name = `${'deep/'.repeat(60)}a.yml`;
    const { rules } = await readPack(file(tar({ name, bytes: text('title: A\n') })));
    expect(rules).toEqual([{ path: name, text: 'title: A\n' }]);
  });
});

/** Bytes of a zip with something in them changed. */
function damaged(change: (bytes: Buffer) => void): Uint8Array {
  const bytes = Buffer.from(zip({ 'a.yml': text('title: A and some more to pack\n'.repeat(20)) }));
  change(bytes);
  return bytes;
}

describe('what is hostile or damaged', () => {
  const rule = { name: 'a.yml', bytes: text('title: A\n') };
  it.each<[string, () => Uint8Array, RegExp]>([
    ['no archive', () => text('title: A\n'), /neither a zip archive nor a gzipped tar/],
    ['an archive without rules', () => zip({ 'a.txt': text('x') }), /no rule file/],
    [
      'a zip whose names lead out of it',
      () => zip({ '../../a.yml': text('x') }),
      /“..\/..\/a.yml” is refused: .*leads out/,
    ],
    ['a zip with an absolute name', () => zip({ '/etc/a.yml': text('x') }), /leads out/],
    ['a zip that unfolds to too much', () => zip({ 'a.bin': new Uint8Array(40_000_000) }), /100 times its size/],
    [
      'a zip with a rule of 50 MB',
      () => zipSync({ 'a.yml': [noise(50_000_000), { level: 0 }] }),
      /50000000 bytes.* 1 MiB/,
    ],
    ['a zip that is cut', () => damaged((bytes) => bytes.fill(0, bytes.length - 22)), /no directory/],
    ['a zip with changed content', () => damaged((bytes) => bytes.fill(7, 45, 55)), /damaged at “a.yml”/],
    ['a zip in a zip', () => zip({ 'a.yml': zip({ 'b.yml': text('x') }) }), /archive itself/],
    ['text that is not UTF-8', () => zip({ 'a.yml': Uint8Array.of(0xff, 0xfe, 0x61, 0) }), /“a.yml” is not UTF-8/],
    ['one name twice', () => tar(rule, rule), /“a.yml” twice/],
    ['a tar that leads out of it', () => tar({ ...rule, name: 'x/../../a.yml' }), /leads out/],
    ['a tar with a symbolic link', () => tar(rule, { name: 'b.yml', bytes: text(''), kind: '2' }), /“b.yml” is a link/],
    ['a tar with a hard link', () => tar({ name: 'b.yml', bytes: text(''), kind: '1' }), /is a link/],
    ['a tar that is cut', () => gzipSync(tarOf([rule]).subarray(0, 700)), /it is cut/],
    ['a gzip that is cut', () => tar(rule).slice(0, 60), /damaged, or it is cut/],
    ['a gzip that holds no tar', () => gzipSync(text('x'.repeat(2000))), /holds no tar/],
    ['a gzip that unfolds to too much', () => gzipSync(new Uint8Array(40_000_000)), /too much for what it weighs/],
  ])('is refused: %s', async (_, make, message) => {
    const reading = readPack(file(make()));
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toBeInstanceOf(PackError);
  });
});

/** What does not pack well. */
function noise(bytes: number): Uint8Array {
  const words = new Uint32Array(bytes / 4);
  let state = 1;
  for (let at = 0; at < words.length; at++) words[at] = state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return new Uint8Array(words.buffer);
}
