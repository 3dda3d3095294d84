import { tlshDistance } from '@svc/engine';

/** What a distance between two TLSH digests means, in words. */
export function likeness(distance: number): string {
  if (distance === 0) return 'equal';
  if (distance <= 30) return 'nearly equal';
  if (distance <= 70) return 'much alike';
  return distance <= 100 ? 'alike' : 'related';
}

/** What a distance is made of, the largest part first: `content 31 · length 12`. */
export function differences(one: string, other: string): string {
  const { total, content, length, spread, checksum } = tlshDistance(one, other);
  if (total === 0) return 'no difference in the digests';
  return Object.entries({ content, length, spread, checksum })
    .filter(([, part]) => part > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, part]) => `${name} ${part}`)
    .join(' · ');
}
