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
