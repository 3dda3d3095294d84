import { randomBytes } from 'node:crypto';

const keyForm = /^[0-9a-f]{32}\.[a-z]{2,8}$/;

/** A key that nobody can guess, ending in `suffix`. */
export function newObjectKey(suffix: string): string {
  return randomBytes(16).toString('hex') + suffix;
}

/** The key itself; throws when it is none, so that no path and no query ever gets to a store. */
export function objectKey(key: string): string {
  if (!keyForm.test(key)) throw new Error('not an object key');
  return key;
}
