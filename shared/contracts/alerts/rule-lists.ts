import type { Operation } from '../operation.ts';

/** Lists of values, and rules as a document (resolved-intel 12, 13). */
export const ruleListOperations = {} as const satisfies Record<string, Operation>;
