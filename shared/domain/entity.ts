/** Kinds of things that events name (resolved-intel 1.2), in display order. */
export const entityTypes = [
  'user',
  'computer',
  'ip_address',
  'hash',
  'executable',
  'domain',
  'cmdline_file',
  'service',
  'task',
] as const;
export type EntityType = (typeof entityTypes)[number];

/** Longest texts, in characters, and the most entities that one request changes. */
export const entityLimits = { value: 500, note: 8000, reason: 300, atOnce: 500 } as const;
