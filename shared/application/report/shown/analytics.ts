import type { Analytics } from '@svc/contracts';
import { otherTactic, tacticColors, tacticNow, tactics, tacticsOf, type TacticGroup } from '@svc/domain';
import type { JobAnalytics } from '../derivation-repository.ts';
import { hourLabels } from './hour-labels.ts';

/** Things of each type that are told with how many events name them. */
const mostFrequent = 100;

/** What a report shows of the derived data of a job (resolved-platform 5); `found` is its findings. */
export function presentAnalytics(
  { events, eventsCapped = false, entities, entitiesTruncated, hours, threats }: JobAnalytics,
  found: readonly { readonly tags: readonly string[]; readonly count: number }[],
): Analytics {
  const sorted = (type: keyof typeof entities): string[] => entities[type].map(({ value }) => value).sort();
  const frequent = (type: keyof typeof entities) => entities[type].slice(0, mostFrequent).map((one) => ({ ...one }));
  return {
    mitre_tactics: tacticCounts(found),
    ...timelineOf(hours),
    users: sorted('user'),
    computers: sorted('computer'),
    ip_addresses: sorted('ip_address'),
    hashes: sorted('hash'),
    executables: sorted('executable'),
    domains: sorted('domain'),
    cmdline_files: sorted('cmdline_file'),
    services: sorted('service'),
    tasks: sorted('task'),
    frequent: {
      user: frequent('user'),
      computer: frequent('computer'),
      ip_address: frequent('ip_address'),
      hash: frequent('hash'),
      executable: frequent('executable'),
      domain: frequent('domain'),
      cmdline_file: frequent('cmdline_file'),
      service: frequent('service'),
      task: frequent('task'),
    },
    entities_truncated: entitiesTruncated,
    threat_detection: {
      ...threats,
      categories: Object.fromEntries(
        Object.entries(threats.categories).map(([key, category]) => [
          key,
          { ...category, indicators: [...category.indicators] },
        ]),
      ),
    },
    events_seen: events,
    events_capped: eventsCapped,
  };
}

/** Every tactic with the matched events of its rules (resolved-platform 8.2). */
function tacticCounts(
  found: readonly { readonly tags: readonly string[]; readonly count: number }[],
): Record<string, number> {
  const counts = new Map<string, number>(tactics.map((tactic) => [tactic, 0]));
  for (const { tags, count } of found) {
    for (const tactic of tacticsOf(tags)) counts.set(tactic, counts.get(tactic)! + count);
  }
  return Object.fromEntries(counts);
}

/** The histogram of resolved-platform 8.3, and the tactics in it. */
export function timelineOf(stored: JobAnalytics['hours']): Pick<Analytics, 'timeline' | 'timeline_tactics'> {
  const hours = stored.map(({ hour, tactics: counts }) => ({ hour, tactics: countsNow(counts) }));
  const labels = hourLabels(hours.map(({ hour }) => hour));
  const sums = hours.map(({ tactics: counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0));
  // There may be more of them than a call takes arguments.
  const fullest = sums.reduce((most, sum) => Math.max(most, sum), 1);
  const groups = ([...tactics, otherTactic] as const).filter((group) => hours.some((hour) => hour.tactics[group]));
  return {
    timeline: hours.map(({ hour, tactics: counts }, index) => ({
      bucket: labels[index]!,
      hour,
      count: sums[index]!,
      pct: Math.round((100 * sums[index]!) / fullest),
      segments: groups
        .filter((group) => counts[group])
        .map((tactic) => ({
          tactic,
          count: counts[tactic]!,
          pct: Math.round((100 * counts[tactic]!) / sums[index]!),
          color: tacticColors[tactic],
        })),
    })),
    timeline_tactics: groups.map((key) => ({ name: nameOf(key), key, color: tacticColors[key] })),
  };
}

/** Stored counts may have names of tactics of another version of ATT&CK. */
function countsNow(counts: JobAnalytics['hours'][number]['tactics']): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [tactic, count] of Object.entries(counts))
    sums[tacticNow(tactic)] = (sums[tacticNow(tactic)] ?? 0) + count;
  return sums;
}

function nameOf(group: TacticGroup): string {
  if (group === otherTactic) return 'Other';
  return group.replaceAll('_', ' ').replace(/\b(?!and\b)[a-z]/g, (letter) => letter.toUpperCase());
}
