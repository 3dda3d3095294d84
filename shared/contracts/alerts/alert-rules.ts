import type { Operation } from '../operation.ts';

/** Rules of users and of the site (resolved-intel 10). */
export const alertRuleOperations = {} as const satisfies Record<string, Operation>;
