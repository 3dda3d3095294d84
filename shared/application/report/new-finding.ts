import type { Severity } from '@svc/domain';

/** A matched event as kept: the head that every report shows, and its flat fields. */
export interface StoredEvent {
  readonly recordId: string | null;
  readonly timestamp: string | null;
  readonly computer: string | null;
  readonly channel: string | null;
  readonly eventId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What an engine says about one rule (`NormalizedFinding` of resolved-platform 2.5). */
export interface NewFinding {
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly ruleAuthor: string | null;
  readonly severity: Severity;
  readonly count: number;
  readonly tags: readonly string[];
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  /** As `Finding.hosts`. */
  readonly hosts: readonly string[] | null;
  readonly events: readonly StoredEvent[];
  readonly ruleSource: string | null;
}
