import type { CaseDetails, InputOf, operations } from '@svc/contracts';
import { canEditCase, canManageCase, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { asMember, namesOf } from './case-members.ts';
import { visibleCase } from './visible-case.ts';

/** A case that the actor sees, with what they may do to it. */
export async function getCase(
  ports: Pick<Ports, 'accounts' | 'cases' | 'comments' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getCase>,
): Promise<CaseDetails> {
  const found = await visibleCase(ports, actor, id);
  const owner = found.ownerId === null ? null : await ports.accounts.get(found.ownerId);
  const { entities, jobs } = await ports.cases.count(actor, id);
  const { renderMarkdown, showAiAnalysis } = await ports.settings.current();
  return {
    id,
    name: found.name,
    summary: found.summary,
    status: found.status,
    severity: found.severity,
    is_shared: found.isShared,
    owner: owner && asMember(owner),
    collaborators: await namesOf(ports, found.collaboratorIds),
    narrative: found.narrative,
    narrative_version: found.narrativeVersion,
    markdown: renderMarkdown,
    created_at: found.createdAt.toISOString(),
    updated_at: found.updatedAt.toISOString(),
    closed_at: found.closedAt?.toISOString() ?? null,
    entity_count: entities,
    job_count: jobs,
    comment_count: await ports.comments.count({ target: 'case', id }),
    can_edit: canEditCase(found, actor),
    can_manage: canManageCase(found, actor),
    shows_ai: showAiAnalysis,
  };
}
