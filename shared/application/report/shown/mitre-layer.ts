import type { MitreLayer } from '@svc/contracts';
import { techniquesOf } from '@svc/domain';

interface Tagged {
  readonly tags: readonly string[];
  readonly count: number;
}

/** The techniques that tags name, each once. */
export function techniquesIn(tags: readonly string[]): string[] {
  return [...new Set(techniquesOf(tags))].filter((technique) => /^T\d{4}(\.\d{3})?$/.test(technique));
}

/** Techniques of findings for the ATT&CK Navigator, scored by matched events (resolved-platform 8.5). */
export function mitreLayer(
  { name, description }: Pick<MitreLayer, 'name' | 'description'>,
  found: readonly Tagged[],
): MitreLayer {
  const scores = new Map<string, number>();
  for (const { tags, count } of found) {
    for (const technique of techniquesIn(tags)) scores.set(technique, (scores.get(technique) ?? 0) + count);
  }
  return {
    name,
    versions: { attack: '16', navigator: '5.0', layer: '4.5' },
    domain: 'enterprise-attack',
    description,
    sorting: 3,
    techniques: [...scores]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([techniqueID, score]) => ({
        techniqueID,
        score,
        comment: `${score} events`,
        enabled: true,
      })),
    gradient: {
      colors: ['#fde68a', '#f59e0b', '#ef4444', '#7f1d1d'],
      minValue: 0,
      maxValue: Math.max(1, ...scores.values()),
    },
  };
}
