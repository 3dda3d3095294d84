import type { RulePack, RuleSet, WorkflowTask } from '@svc/domain';
import { EngineFailure, type ReadyRules } from '../ports/detection-engine.ts';
import { RulePackRefused } from '../ports/rule-compiler.ts';
import type { Ports } from '../ports/ports.ts';
import { artifactBytes, artifactOf, type ArtifactPorts } from './rule-artifact.ts';

export type RulePorts = ArtifactPorts & Pick<Ports, 'rulePacks'>;

/**
 * The rules of a task: those of the packs that it names, or of every enabled one, that pass its filters.
 * Rejects with an `EngineFailure` where there are none, since a report without rules would look clean.
 * @param isGiven leaves packs out, as if they were switched off. @default none
 */
export async function rulesForTask(
  ports: RulePorts,
  { packs: names, filters }: Pick<WorkflowTask, 'packs' | 'filters'>,
  isGiven: (pack: RulePack) => boolean = () => true,
): Promise<ReadyRules> {
  const all = await ports.rulePacks.list();
  const missing = (names ?? []).find((name) => !all.some(({ pack }) => pack.name === name));
  if (missing !== undefined)
    throw new EngineFailure(`The workflow names the rule pack “${missing}”, which is not here`);
  // What a workflow names it gets in the order named; a pack that is switched off is for no workflow.
  const order = names ?? all.map(({ pack }) => pack.name);
  const chosen = order
    .map((name) => all.find(({ pack }) => pack.name === name)!)
    .filter(({ pack }) => pack.enabled && isGiven(pack))
    .map(({ pack, overrides }) => ({ pack, version: pack.inForce, overrides }));
  if (chosen.length === 0) {
    throw new EngineFailure('No rule pack is enabled; enable or import one, or nothing can be found');
  }
  try {
    const artifact = await artifactOf(ports, chosen, filters);
    return {
      digest: artifact.digest,
      ruleSet: ruleSetOf(
        chosen.map(({ pack }) => pack),
        artifact.loaded,
      ),
      load: () => artifactBytes(ports, artifact, () => artifactOf(ports, chosen, filters)),
    };
  } catch (error) {
    if (!(error instanceof RulePackRefused)) throw error;
    throw new EngineFailure(error.message, { cause: error });
  }
}

function ruleSetOf(packs: readonly RulePack[], loaded: number): RuleSet {
  return {
    name: packs.map(({ name }) => name).join(' + '),
    version: packs.map(({ inForce }) => inForce.version).join(' + '),
    loaded,
    rejected: packs.reduce((sum, { inForce }) => sum + inForce.rejected, 0),
    packs: packs.map(({ name, inForce: { version, digest, datedAt } }) => ({ name, version, digest, datedAt })),
  };
}
