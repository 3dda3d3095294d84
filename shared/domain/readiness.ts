/** How much a check asks of an administrator, worst first. */
export const readinessLevels = ['FAIL', 'WARN', 'INFO', 'PASS'] as const;
export type ReadinessLevel = (typeof readinessLevels)[number];

/** What was found of one thing that the service needs to do its work (resolved-platform 16.1). */
export interface ReadinessCheck {
  readonly section: string;
  readonly level: ReadinessLevel;
  /** What was looked at. */
  readonly name: string;
  readonly message: string;
  /** What to do about it; null where there is nothing to do. */
  readonly fix: string | null;
}

/** What all checks together say. */
export const readinessVerdicts = ['ready', 'ready_with_warnings', 'not_ready'] as const;
export type ReadinessVerdict = (typeof readinessVerdicts)[number];

export function verdictOf(checks: readonly Pick<ReadinessCheck, 'level'>[]): ReadinessVerdict {
  const has = (wanted: ReadinessLevel): boolean => checks.some(({ level }) => level === wanted);
  if (has('FAIL')) return 'not_ready';
  return has('WARN') ? 'ready_with_warnings' : 'ready';
}
