import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { jobNames } from '../jobs/job-names.ts';
import type { Ports } from '../ports/ports.ts';
import { knownRelationship, shownRelationship } from './get-relationship-timespan.ts';
import { per } from './list-entity-jobs.ts';

/** Visible jobs that show a relationship, with their first events and findings; then those that name both its ends. */
export async function listRelationshipEvidence(
  ports: Pick<Ports, 'jobViews' | 'relationshipEvidence'>,
  actor: Actor,
  { id, page }: InputOf<typeof operations.listRelationshipEvidence>,
): Promise<OutputOf<typeof operations.listRelationshipEvidence>> {
  const relationship = await knownRelationship(ports, id);
  const found = await ports.relationshipEvidence.jobs(actor, relationship, { page, per });
  const names = await jobNames(
    ports,
    actor,
    found.jobs.map(({ jobId }) => jobId),
  );
  return {
    ...shownRelationship(relationship),
    page: found.page,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    evidence: found.jobs.flatMap(({ jobId, shown, findings }) => {
      const filename = names.get(jobId);
      if (filename === undefined) return [];
      return [
        {
          job: { id: jobId, filename },
          ...(shown && { occurrence_count: shown.occurrences, failed_count: shown.failed }),
          from: shown?.from?.getTime() ?? null,
          to: shown?.to?.getTime() ?? null,
          events: shown?.events.map((event) => ({ ...event })) ?? [],
          findings: findings.map((one) => ({ id: one.id, rule_name: one.ruleName, severity: one.severity })),
        },
      ];
    }),
  };
}
