import type { InputOf, MitreLayer, operations, OutputOf } from '@svc/contracts';
import { tacticsOfTechnique, techniqueTitle, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { mitreLayer, techniquesIn } from '../report/shown/mitre-layer.ts';
import { entityScope } from './entity-scope.ts';

type MitrePorts = Pick<Ports, 'entities' | 'entityLinks' | 'jobViews'>;

const most = 20;

/** Techniques of the findings of visible jobs that name an entity, by their matched events (resolved-intel 5.2). */
export async function getEntityMitre(
  ports: MitrePorts,
  actor: Actor,
  { id, job: asked }: InputOf<typeof operations.getEntityMitre>,
): Promise<OutputOf<typeof operations.getEntityMitre>> {
  const { job, notices } = await entityScope(ports, actor, id, asked);
  const found = await ports.entityLinks.tagCounts(actor, id, job);
  const { techniques } = mitreLayer({ name: '', description: '' }, found);
  return {
    techniques: techniques
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ techniqueID: technique, score: count }) => ({
        technique,
        title: techniqueTitle(technique),
        tactics: [...tacticsOfTechnique(technique)],
        count,
      })),
    technique_total: techniques.length,
    event_total: found.reduce((sum, { tags, count }) => sum + (techniquesIn(tags).length > 0 ? count : 0), 0),
    notices,
  };
}

/** Techniques of the findings of all visible jobs that have ended, for the ATT&CK Navigator. */
export async function getIntelMitreLayer(
  { entityLinks }: Pick<Ports, 'entityLinks'>,
  actor: Actor,
): Promise<MitreLayer> {
  const description = 'Techniques of the Sigma rules that matched in the jobs that you see, scored by matched events';
  return mitreLayer({ name: 'All jobs', description }, await entityLinks.allTagCounts(actor));
}

/** All of them for the ATT&CK Navigator. */
export async function getEntityMitreLayer(
  ports: MitrePorts,
  actor: Actor,
  { id, job: asked }: InputOf<typeof operations.getEntityMitreLayer>,
): Promise<MitreLayer> {
  const { entity, job } = await entityScope(ports, actor, id, asked);
  const scope = job === null ? '' : ` in job ${job}`;
  const name = `${entity.value}${scope}`;
  const description = `Techniques of the Sigma rules whose matches name ${entity.value}${scope}, scored by matched events`;
  return mitreLayer({ name, description }, await ports.entityLinks.tagCounts(actor, id, job));
}
