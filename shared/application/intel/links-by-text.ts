import { entityKey, type Finding } from '@svc/domain';
import type { StoredEvent } from '../report/new-finding.ts';
import type { JobIntel } from './intel-repository.ts';

type Matched = Pick<Finding, 'id' | 'tags'> & { readonly events: readonly StoredEvent[] };

/**
 * Which findings name which entities, by the sample events that are kept of them (resolved-intel 1.4): for results of
 * versions that did not note it while they read the log. A value counts where it is not part of a longer word.
 */
export function linksByText(entities: JobIntel['entities'], findings: readonly Matched[]): JobIntel['findings'] {
  return findings.map(({ id, tags, events }) => {
    const text = entityKey([...tags, ...events.flatMap(stringsOf)].join('\n'));
    const named = entities.flatMap(({ type, value }, place) =>
      stands(text, entityKey(value), type === 'ip_address' ? /[\d.]/ : /[\p{L}\p{N}_]/u) ? [place] : [],
    );
    return { finding: id, entities: named };
  });
}

/** Whether it is in the text with none of these before or after it. */
function stands(text: string, value: string, around: RegExp): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (!around.test(text.charAt(at - 1)) && !around.test(text.charAt(at + value.length))) return true;
  }
  return false;
}

function stringsOf({ computer, fields }: StoredEvent): string[] {
  return computer === null ? deep(fields) : [computer, ...deep(fields)];
}

function deep(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(deep) : [];
}
