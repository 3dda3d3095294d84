/** Severities, worst first; sort by this order, never alphabetically (resolved-platform 4). */
export const severities = ['critical', 'high', 'medium', 'low', 'informational'] as const;

export type Severity = (typeof severities)[number];

/** Colours of resolved-platform 8.1. */
export const severityColors: Readonly<Record<Severity, string>> = {
  critical: '#ef4444',
  high: '#f97316',
  medium: '#eab308',
  low: '#3b82f6',
  informational: '#6b7280',
};

/** Matched events per severity. */
export type SeveritySummary = Readonly<Record<Severity, number>>;

export const emptySummary: SeveritySummary = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };

/** Rank for sorting: 0 is the worst. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity);
}
