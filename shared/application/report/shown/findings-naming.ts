import type { FindingsNaming, MatchedEvent } from '@svc/contracts';

interface Kept {
  readonly id: number;
  readonly events: readonly MatchedEvent[];
}

/** Of some findings those whose kept events name a value, and how many of them do. */
export function findingsNaming(findings: readonly Kept[], value: string): FindingsNaming['findings'] {
  const isNamed = naming(value);
  return findings.flatMap(({ id, events }) => {
    const named = events.filter(isNamed).length;
    return named === 0 ? [] : [{ id, events: named, kept: events.length }];
  });
}

/**
 * Tells whether an event names a value: its computer or a field is it, or has it between other signs than those of
 * names, in whatever case. `ws01` is in `WS01.corp.example` and in `C:\\ws01`, and neither in `ws011` nor in `old-ws01`.
 */
export function naming(value: string): (event: Pick<MatchedEvent, 'computer' | 'fields'>) => boolean {
  const literal = value.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])${literal}(?![\\p{L}\\p{N}_-])`, 'iu');
  const has = (field: unknown): boolean => {
    if (typeof field === 'string') return pattern.test(field);
    if (Array.isArray(field)) return field.some(has);
    if (typeof field === 'object' && field !== null) return Object.values(field).some(has);
    return typeof field === 'number' && pattern.test(String(field));
  };
  return ({ computer, fields }) => has(computer) || Object.values(fields).some(has);
}
