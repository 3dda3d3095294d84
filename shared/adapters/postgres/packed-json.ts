import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** A value as gzipped JSON, a tenth of its size. */
export async function packed(value: unknown): Promise<Uint8Array> {
  return promisify(gzip)(JSON.stringify(value));
}

/** What {@link packed} was given. */
export async function unpacked<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await promisify(gunzip)(bytes)).toString()) as T;
}
