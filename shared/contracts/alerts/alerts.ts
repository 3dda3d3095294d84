import type { Operation } from '../operation.ts';

/** What rules have matched (resolved-intel 14.1). */
export const alertOperations = {} as const satisfies Record<string, Operation>;
