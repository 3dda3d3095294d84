const kibibyte = 1024;

/** Bytes that an upload must bring each minute, whether anybody waits or not. */
export const leastBytesAMinute = 60 * kibibyte;

/** Milliseconds after which an upload is over, done or not: a slow link’s 8 KiB a second, and five minutes beside. */
export function longestUploadMs(declaredBytes: number): number {
  return 300_000 + (declaredBytes / (8 * kibibyte)) * 1000;
}

/**
 * Bytes that an upload must have brought after so many milliseconds to keep a place that somebody else waits for:
 * nothing for half a minute, then an average that rises, from 2.5 KiB a second to 16 after five minutes.
 */
export function leastBytesWhenWanted(elapsedMs: number): number {
  if (elapsedMs < 30_000) return 0;
  const seconds = elapsedMs / 1000;
  return Math.min(1 + seconds / 20, 16) * kibibyte * seconds;
}
