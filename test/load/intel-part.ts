import type { Database } from '@svc/adapters/postgres/database.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Actor } from '@svc/domain';

/** Something that is timed, and how long it may take at the 95th percentile. */
export interface Measured {
  readonly name: string;
  readonly longestMs: number;
  /** Says how much was found. */
  readonly run: () => Promise<number | string>;
}

export type IntelPorts = Pick<
  Ports,
  | 'alertRules'
  | 'caseFindings'
  | 'caseLists'
  | 'cases'
  | 'caseTimelines'
  | 'caseContents'
  | 'caseStory'
  | 'clock'
  | 'comments'
  | 'entities'
  | 'entityAlerts'
  | 'entityAliases'
  | 'entityGraphs'
  | 'entityLinks'
  | 'entityLists'
  | 'findings'
  | 'jobAlerts'
  | 'jobViews'
  | 'ruleLists'
  | 'settings'
  | 'tags'
  | 'transaction'
>;
export type IntelPart = (ports: IntelPorts, viewer: Actor, db: Database) => Promise<readonly Measured[]>;
