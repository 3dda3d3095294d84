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

const typeAliases: Readonly<Record<string, EntityType>> = {
  ip: 'ip_address',
  ips: 'ip_address',
  exe: 'executable',
  cmdline: 'cmdline_file',
};

/** A type by its name or a short one, in whatever case (resolved-intel 4.3); null where there is none of the name. */
export function entityTypeNamed(text: string): EntityType | null {
  const lower = text.toLowerCase();
  return entityTypes.find((type) => type === lower) ?? (Object.hasOwn(typeAliases, lower) ? typeAliases[lower]! : null);
}

/** Longest texts, in characters, and the most entities that one request changes, and that one names. */
export const entityLimits = { value: 500, note: 8000, reason: 300, atOnce: 500, found: 10_000 } as const;

/** A value as it is kept: cut, and without what no database holds, which logs contain. */
export function entityValue(text: string): string {
  // oxlint-disable-next-line no-control-regex -- NUL is what PostgreSQL refuses
  return text.slice(0, entityLimits.value).replace(/[\u0000\p{Surrogate}]/gu, '\uFFFD');
}

/** What two values of a type have in common when they are one: who writes `Alice` and `ALICE` means the same. */
export function entityKey(value: string): string {
  return value.toLowerCase();
}
