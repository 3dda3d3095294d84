import type { ExportedFinding, FindingRow, MatchedEvent } from '@svc/contracts';
import { ruleGroups, ruleSignature, type Finding, type GroupedFinding } from '@svc/domain';
import type { StoredEvent } from '../new-finding.ts';

/** A finding as lists show it, without its events. */
export function toFindingRow(finding: Finding): FindingRow {
  return {
    id: finding.id,
    task_result_id: finding.taskResultId,
    tool: finding.engine,
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
export function toMatchedEvent({ recordId, timestamp, computer, channel, eventId, fields }: StoredEvent): MatchedEvent {
  return { record_id: recordId, timestamp, computer, channel, event_id: eventId, fields: shownFields(fields) };
}

/** The fields of the event itself, in its order, and in an archive `_file`; not what tells where a reader found it. */
function shownFields({ _offset, _recovered, ...fields }: StoredEvent['fields']): Record<string, unknown> {
  return fields;
}

/** The engines of a job that found the rule of each finding, by the finding's id. */
export function foundBy(findings: readonly (GroupedFinding & Pick<Finding, 'id'>)[]): Map<number, readonly string[]> {
  return new Map(
    ruleGroups(findings).flatMap((group) => {
      const engines = [...new Set(group.map(({ engine }) => engine))].sort();
      return group.map(({ id }) => [id, engines] as const);
    }),
  );
}

/** A finding with its sample events, as it is downloaded (resolved-platform 4). */
export function toExportedFinding(
  finding: Omit<Finding, 'id' | 'taskResultId' | 'hasEvents' | 'hasRule' | 'firstSeen' | 'lastSeen' | 'hosts'> & {
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
