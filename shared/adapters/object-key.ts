import type { ObjectArea } from '@svc/application/ports/object-store.ts';
import { randomBytes } from 'node:crypto';

const keyForm = /^(?:(outputs|packs|answers)\/)?[0-9a-f]{32}\.[a-z]{2,8}$/;

/** A key that nobody can guess, ending in `suffix`. */
export function newObjectKey(suffix: string, area: ObjectArea = 'uploads'): string {
  return (area === 'uploads' ? '' : `${area}/`) + randomBytes(16).toString('hex') + suffix;
}

/** Whether a name in a store is an object’s of ours. */
export function isObjectKey(key: string): boolean {
  return keyForm.test(key);
}

/** The key itself; throws when it is none, so that no path and no query ever gets to a store. */
export function objectKey(key: string): string {
  if (!isObjectKey(key)) throw new Error('not an object key');
  return key;
}

/** What the object of this key is, by the key's first segment. */
export function areaOf(key: string): ObjectArea {
  // The cast is safe: the form has these names and no others.
  return (keyForm.exec(key)?.[1] ?? 'uploads') as ObjectArea;
}
