import { heldWords, techniquesOf } from '@svc/domain';
import type { JobAnalytics } from './derivation-repository.ts';
import type { NewFinding } from './new-finding.ts';

type Entities = JobAnalytics['entities'];

/** The words by which searches find a job for what one of its tasks found. */
export function heldWordsOf(
  findings: readonly Pick<NewFinding, 'ruleId' | 'ruleName' | 'tags'>[],
  entities: Entities | null,
): string[] {
  const named = (type: keyof Entities): string[] => (entities?.[type] ?? []).map(({ value }) => value);
  return heldWords({
    rules: findings.map(({ ruleId, ruleName, tags }) => ({
      id: ruleId,
      name: ruleName,
      techniques: techniquesOf(tags),
    })),
    values: {
      host: named('computer'),
      user: named('user'),
      ip: named('ip_address'),
      hash: named('hash'),
      program: [...named('executable'), ...named('cmdline_file')],
      domain: named('domain'),
    },
  });
}
