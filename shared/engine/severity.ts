/** Sigma levels, worst first; sort by this order, never alphabetically. */
export const severities = ['critical', 'high', 'medium', 'low', 'informational'] as const;
export type Severity = (typeof severities)[number];
