import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { visibleCase } from './visible-case.ts';

/** What the narrative of a case says, and what it said before. */
export async function listCaseNarratives(
  ports: Pick<Ports, 'cases'>,
  actor: Actor,
  { id }: InputOf<typeof operations.listCaseNarratives>,
): Promise<OutputOf<typeof operations.listCaseNarratives>> {
  await visibleCase(ports, actor, id);
  return {
    narratives: (await ports.cases.narratives(id)).map(({ version, body, savedBy, savedAt }) => ({
      version,
      body,
      saved_by: savedBy,
      saved_at: savedAt.toISOString(),
    })),
  };
}
