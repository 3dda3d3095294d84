import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { startS3, type S3Server } from '../../../test/support/s3-server.ts';
import { allOf, objectListingContract } from '../contract/object-listing.ts';
import { objectStoreContract } from '../contract/object-store.ts';
import { ScratchFolder } from '../machine/scratch-folder.ts';
import { contentOf } from '../testing/content.ts';
import { s3Client } from './s3-client.ts';
import { S3ObjectListing } from './s3-object-listing.ts';
import { S3ObjectStore } from './s3-object-store.ts';
import { s3SettingsOf } from './s3-settings.ts';
import { readEnvironment } from '@svc/config';

const mib = 1_048_576;

describeWith('s3', 'objects in S3', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scratch-'));
  let s3: S3Server;
  let client: S3Client;
  let store: S3ObjectStore;
  beforeAll(async () => {
    s3 = await startS3();
    client = s3Client(s3SettingsOf(readEnvironment(s3.env)));
    store = storeWith(client);
  });
  afterAll(async () => {
    client.destroy();
    await s3.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function storeWith(through: S3Client, uploads = s3.bucket, packs = uploads): S3ObjectStore {
    const buckets = { uploads, outputs: uploads, packs, answers: uploads };
    return new S3ObjectStore({ client: through, buckets, scratch: new ScratchFolder(folder), largestBytes: 500 * mib });
  }

  /** Objects and unfinished uploads that the bucket holds. */
  async function held(): Promise<{ objects: number; uploads: number }> {
    const [{ KeyCount }, { Uploads }] = await Promise.all([
      s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket })),
      s3.client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket })),
    ]);
    return { objects: KeyCount ?? 0, uploads: Uploads?.length ?? 0 };
  }

  const copies = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => /[0-9a-f]{32}$/.test(name));

  objectStoreContract(() => store);

  let made = 0;
  /** An empty bucket, and its listing by pages of so many. */
  async function emptyBucket(atOnce: number) {
    const bucket = `svc-listed-${(made += 1)}`;
    const CreateBucketConfiguration = { LocationConstraint: 'eu-central-1' } as const;
    await s3.client.send(new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration }));
    const buckets = { uploads: bucket, outputs: bucket, packs: bucket, answers: bucket };
    return { bucket, objects: storeWith(client, bucket), listing: new S3ObjectListing(client, buckets, { atOnce }) };
  }
  objectListingContract(() => emptyBucket(5));

  it('lists bucket after bucket, leaves out what is not the service’s, and dates what came in parts with care', async () => {
    const { bucket, objects, listing: own } = await emptyBucket(1000);
    const { bucket: packs, objects: inPacks } = await emptyBucket(1000);
    const buckets = { uploads: bucket, outputs: bucket, packs, answers: bucket };
    await s3.client.send(new PutObjectCommand({ Bucket: bucket, Key: 'backup/of-somebody.zip', Body: 'x' }));
    const small = await objects.create('.bin', contentOf('small'));
    const large = await objects.create('.bin', contentOf(new Uint8Array(17 * mib)));
    const pack = await inPacks.create('.json', contentOf('{}'), 'packs');
    const found = await allOf(new S3ObjectListing(client, buckets, { atOnce: 2 }));
    expect(found.map(({ key }) => key).sort()).toEqual([small.key, large.key, pack.key].sort());
    const dated = (key: string) => found.find((one) => one.key === key)?.storedAt.getTime() ?? 0;
    expect(dated(large.key) - dated(small.key)).toBeGreaterThan(86_000_000);
    expect(await own.room()).toBeNull();
  });

  it('ends uploads in parts that cannot be under way any more', async () => {
    const { bucket: Bucket, listing } = await emptyBucket(1000);
    const Key = `${'ab'.repeat(16)}.bin`;
    await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'of-somebody' }));
    expect(await listing.removeUnfinished(new Date(Date.now() + 3_600_000))).toBe(0);
    expect(await listing.removeUnfinished(new Date(Date.now() + 2 * 86_400_000))).toBe(1);
    const { Uploads = [] } = await s3.client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads.map((one) => one.Key)).toEqual(['of-somebody']);
  });

  it('erases an object with all that a bucket with versions keeps of it, and nothing else', async () => {
    const Bucket = 'svc-versions';
    await s3.client.send(
      new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: 'eu-central-1' } }),
    );
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    const versioned = storeWith(client, Bucket);
    const [{ key }, { key: other }] = [
      await versioned.create('.bin', contentOf(Buffer.from('one'))),
      await versioned.create('.bin', contentOf(Buffer.from('other'))),
    ];
    await s3.client.send(new PutObjectCommand({ Bucket, Key: key, Body: 'two' }));
    await versioned.delete(key);
    const compare = (a: string, b: string): number => a.localeCompare(b);
    const kept = async (): Promise<string[]> => {
      const { Versions = [], DeleteMarkers = [] } = await s3.client.send(new ListObjectVersionsCommand({ Bucket }));
      return [...Versions, ...DeleteMarkers].map(({ Key = '' }) => Key).toSorted(compare);
    };
    expect(await kept()).toEqual([key, key, key, other].toSorted(compare));
    await versioned.erase(key);
    expect(await kept()).toEqual([other]);
  });

  it('streams a large object in bounded memory, there and back', async () => {
    const [size, chunk] = [200 * mib, Buffer.alloc(65_536, 'log')];
    const sent = createHash('sha256');
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < size; at += chunk.length) {
        chunk.writeUInt32LE(at, 0);
        const part = Buffer.from(chunk);
        sent.update(part);
        yield part;
      }
    }
    const [before, watch] = [process.memoryUsage().rss, watchMemory()];
    const { key, sizeBytes } = await store.create('.log', content());
    expect(sizeBytes).toBe(size);
    const upPeak = watch.peak() - before;
    const copy = await store.localCopy(key);
    const grown = watch.stop() - before;
    const received = createHash('sha256');
    for await (const part of createReadStream(copy.path)) received.update(part as Buffer);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    await copy.release();
    await store.delete(key);
    console.info(
      `200 MiB: resident memory grew by ${Math.round(upPeak / mib)} MiB up, ${Math.round(grown / mib)} MiB in all`,
    );
    expect(grown).toBeLessThan(150 * mib);
  });

  it('leaves neither object nor parts of an upload that breaks off after some', async () => {
    const before = await held();
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let part = 0; part < 5; part += 1) yield new Uint8Array(5 * mib);
      throw new Error('too large');
    }
    await expect(store.create('.log', content())).rejects.toThrow('too large');
    expect(await held()).toEqual(before);
    // The listing does show such leftovers.
    await s3.client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key: 'left' }));
    expect(await held()).toEqual({ ...before, uploads: before.uploads + 1 });
  });

  it('reads an object front to back in few requests, and its head in one', async () => {
    const counted = s3Client(s3SettingsOf(readEnvironment(s3.env)));
    let requests = 0;
    counted.middlewareStack.add((next) => async (args) => ((requests += 1), next(args)), { step: 'initialize' });
    const { key } = await store.create('.log', contentOf(new Uint8Array(40 * mib)));
    const reader = await storeWith(counted).open(key);
    const into = new Uint8Array(65_536);
    await reader.read(0, into);
    expect(requests).toBe(2);
    for (let at = 0; at < reader.size; at += into.length) expect(await reader.read(at, into)).toBe(into.length);
    expect(requests).toBeLessThan(15);
    counted.destroy();
  });

  it('goes on where the connection of a download breaks off', async () => {
    const { key } = await store.create('.log', contentOf(Buffer.alloc(20 * mib, 'abcdefg')));
    const weak = await weakLine(new URL(s3.endpoint), 3 * mib);
    const through = s3Client(s3SettingsOf(readEnvironment({ ...s3.env, S3_ENDPOINT: weak.url })));
    const copy = await storeWith(through).localCopy(key);
    const received = createHash('sha256');
    for await (const part of createReadStream(copy.path)) received.update(part as Buffer);
    expect(received.digest('hex')).toBe(
      createHash('sha256')
        .update(Buffer.alloc(20 * mib, 'abcdefg'))
        .digest('hex'),
    );
    expect(weak.broken()).toBeGreaterThan(3);
    await copy.release();
    through.destroy();
    await weak.close();
  });

  it('stops a download when told to, and keeps nothing of it', async () => {
    const { key } = await store.create('.log', contentOf(new Uint8Array(40 * mib)));
    const stop = new AbortController();
    const copying = store.localCopy(key, stop.signal);
    setTimeout(() => stop.abort(new Error('cancelled')), 30);
    await expect(copying).rejects.toThrow('cancelled');
    await expect(store.localCopy(key, stop.signal)).rejects.toThrow('cancelled');
    expect(await copies()).toEqual([]);
  });

  it('says what is wrong with the bucket', async () => {
    await expect(storeWith(client, 'svc-other').check()).rejects.toThrow(
      'The bucket svc-other of the file store cannot be used (there is no such bucket)',
    );
    await expect(storeWith(client, s3.bucket, 'svc-packs').check()).rejects.toThrow('The bucket svc-packs');
  });

  it('keeps an area in the bucket of its own, where there is one', async () => {
    const CreateBucketConfiguration = { LocationConstraint: 'eu-central-1' } as const;
    await s3.client.send(new CreateBucketCommand({ Bucket: 'svc-packs', CreateBucketConfiguration }));
    const keysIn = async (Bucket: string) =>
      ((await s3.client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key);
    const parted = storeWith(client, s3.bucket, 'svc-packs');
    await parted.check();
    const { key } = await parted.create('.json', contentOf('{}'), 'packs');
    expect(await keysIn('svc-packs')).toEqual([key]);
    // Not by number: what tests before have stopped may be removed meanwhile.
    expect(await keysIn(s3.bucket)).not.toContain(key);
    expect((await parted.open(key)).size).toBe(2);
    await parted.delete(key);
    expect(await parted.exists(key)).toBe(false);
  });

  it('fails with `unavailable` while the server is away, and works when it is back', async () => {
    const { key } = await store.create('.log', contentOf('before'));
    await s3.stop();
    for (const attempt of [
      () => store.create('.log', contentOf('x')),
      () => store.open(key),
      () => store.localCopy(key),
      () => store.exists(key),
      () => store.delete(key),
      () => store.check(),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'unavailable' });
    }
    await s3.start();
    await store.check();
    expect(await store.exists((await store.create('.log', contentOf('after'))).key)).toBe(true);
  });

  it('fails with `unavailable` when the server goes away during an upload', async () => {
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let part = 0; part < 6; part += 1) {
        yield new Uint8Array(5 * mib);
        if (part === 3) await s3.stop();
      }
    }
    await expect(store.create('.log', content())).rejects.toMatchObject({ code: 'unavailable' });
    await s3.start();
    expect(await held()).toEqual({ objects: 0, uploads: 0 });
  });
});

/** Samples the resident memory until it is stopped. */
function watchMemory(): { peak(): number; stop(): number } {
  let peak = 0;
  const look = (): number => (peak = Math.max(peak, process.memoryUsage().rss));
  const timer = setInterval(look, 20);
  return {
    peak: look,
    stop: () => {
      clearInterval(timer);
      return look();
    },
  };
}

/** A way to a server that breaks every connection once this many bytes have come back. */
async function weakLine(
  to: URL,
  bytes: number,
): Promise<{ readonly url: string; broken(): number; close(): Promise<unknown> }> {
  let broken = 0;
  const line: Server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    let passed = 0;
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed > bytes) {
        broken += 1;
        near.destroy();
        far.destroy();
      } else near.write(chunk);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    broken: () => broken,
    close: () => new Promise((resolve) => line.close(resolve)),
  };
}
