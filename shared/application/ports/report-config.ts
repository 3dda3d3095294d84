import type { AttributeRules, DeriveOptions } from '@svc/engine';

/** What reports are derived by, beside the tactics of the rules. */
export type DeriveConfig = Omit<DeriveOptions, 'groups' | 'counted'> & Pick<AttributeRules, 'dgaRule'>;

/** The files of resolved-platform 5.2 and 6, as the operator has them. */
export interface ReportConfig {
  /** Rejects with a sentence that names the file and what is wrong in it. */
  current(): Promise<DeriveConfig>;
}
