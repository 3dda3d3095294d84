import type { ExportedFinding, FindingRow, MatchedEvent } from '@svc/contracts';
import { ruleGroups, ruleSignature, type Finding, type GroupedFinding } from '@svc/domain';
import type { SampleEvent } from '../agreement/records.ts';
import type { StoredEvent } from '../new-finding.ts';

/** A finding as lists show it, without its events. */
export function toFindingRow(finding: Finding): FindingRow {
  return {
    id: finding.id,
    task_result_id: finding.taskResultId,
    tool: finding.engine,
    ...(finding.parts && { found_by: enginesOf(finding) }),
    rule_id: finding.ruleId,
    rule_name: finding.ruleName,
    severity: finding.severity,
    count: finding.count,
    ...(finding.suppressed > 0 && { suppressed: finding.suppressed }),
    tags: [...finding.tags],
    rule_signature: ruleSignature(finding),
    first_seen: finding.firstSeen,
    last_seen: finding.lastSeen,
    has_details: finding.hasEvents,
    has_rule: finding.hasRule,
  };
}

/** A matched event as a report shows it. */
export function toMatchedEvent(event: SampleEvent): MatchedEvent {
  const { recordId, timestamp, computer, channel, eventId, fields, foundBy: engines } = event;
  return {
    record_id: recordId,
    timestamp,
    computer,
    channel,
    event_id: eventId,
    fields: shownFields(fields),
    ...(engines && { found_by: [...engines] }),
  };
}

/** The fields of the event itself, in its order, and in an archive `_file`; not what tells where a reader found it. */
function shownFields({ _offset, _recovered, ...fields }: StoredEvent['fields']): Record<string, unknown> {
  return fields;
}

/** All engines whose findings one stands for. */
function enginesOf({ engine, parts }: Pick<Finding, 'engine' | 'parts'>): string[] {
  return [...new Set(parts?.map((part) => part.engine) ?? [engine])].sort();
}

/** The engines of a job that found the rule of each finding, by its id; of jobs of before these were one finding, too. */
export function foundBy(
  findings: readonly (GroupedFinding & Pick<Finding, 'id' | 'parts'>)[],
): Map<number, readonly string[]> {
  return new Map(
    ruleGroups(findings).flatMap((group) => {
      const engines = [...new Set(group.flatMap(enginesOf))].sort();
      return group.map(({ id }) => [id, engines] as const);
    }),
  );
}

/** A finding with its sample events, as it is downloaded (resolved-platform 4). */
export function toExportedFinding(
  finding: Omit<
    Finding,
    'id' | 'taskResultId' | 'parts' | 'hasEvents' | 'hasRule' | 'firstSeen' | 'lastSeen' | 'hosts'
  > & {
    readonly events: readonly Pick<StoredEvent, 'fields'>[];
    readonly foundBy: readonly string[];
  },
): ExportedFinding {
  return {
    tool: finding.engine,
    found_by: [...finding.foundBy],
    rule_id: finding.ruleId,
    rule_name: finding.ruleName,
    severity: finding.severity,
    count: finding.count,
    suppressed: finding.suppressed,
    tags: [...finding.tags],
    details: finding.events.map(({ fields }) => shownFields(fields)),
    rule_signature: ruleSignature(finding),
    rule_author: finding.ruleAuthor,
  };
}
