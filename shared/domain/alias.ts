import { entityKey, type EntityType } from './entity.ts';

/** Entities that can be one subject. */
export const mostAliases = 100;

/** Texts that other writings of the same thing are likely to be, with `*` for whatever stands there; none where nothing tells. */
export function likelyAliases(type: EntityType, value: string): readonly string[] {
  const key = entityKey(value);
  if (type === 'user') {
    // CORP\alice, alice@corp.example
    const name = key.replace(/^.*\\/s, '').replace(/@.*$/s, '');
    return name === '' ? [] : [name, `*\\${name}`, `${name}@*`, `*\\${name}@*`];
  }
  if (type === 'computer') {
    const [host = ''] = key.split('.');
    return host === '' ? [] : [host, `${host}.*`];
  }
  return [];
}
