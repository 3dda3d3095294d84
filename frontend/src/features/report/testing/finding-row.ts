import type { FindingRow } from '@svc/contracts';

/** A finding for tests, of a rule that its number names. */
export function findingRow(id: number, over: Partial<FindingRow> = {}): FindingRow {
  return {
    id,
    task_result_id: 1,
    tool: 'sigma-native',
    rule_id: `rule-${id}`,
    rule_name: `Rule Number ${id}`,
    severity: 'high',
    count: 1,
    tags: [],
    rule_signature: `rule-${id}:high`,
    first_seen: null,
    last_seen: null,
    has_details: true,
    has_rule: true,
    ...over,
  };
}
