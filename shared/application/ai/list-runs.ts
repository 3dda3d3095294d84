import type { AiRuns, InputOf, operations } from '@svc/contracts';
import { aiLimits, AppError, hasRole, type Actor, type AiProvider, type AiSubject } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentHeads, presentRun, type PresentPorts } from './present-run.ts';
import { hidesNames } from './pseudonyms/hides-names.ts';
import { checkAnalysable, visibleSubject, type SubjectPorts } from './run-subject.ts';

export type ListRunsPorts = PresentPorts & SubjectPorts & Pick<Ports, 'aiProviders'>;
type Asked = InputOf<typeof operations.listJobAiRuns>;

/** Runs over a job, of which one is shown whole. */
export function listJobAiRuns(ports: ListRunsPorts, actor: Actor, asked: Asked): Promise<AiRuns> {
  return list(ports, actor, 'job', asked);
}

/** Runs over a case: those whose jobs the viewer sees all. */
export function listCaseAiRuns(ports: ListRunsPorts, actor: Actor, asked: Asked): Promise<AiRuns> {
  return list(ports, actor, 'case', asked);
}

async function list(
  ports: ListRunsPorts,
  actor: Actor,
  subject: AiSubject,
  { id, analysis_id: wanted }: Asked,
): Promise<AiRuns> {
  const { aiRuns } = ports;
  const of = await visibleSubject(ports, actor, subject, id);
  const runs = await aiRuns.newest(actor, of, aiLimits.listed);
  const chosen =
    wanted === undefined
      ? runs[0]
      : (runs.find((run) => run.id === wanted) ?? (await aiRuns.one(actor, of, wanted)) ?? undefined);
  const selected = chosen === undefined ? null : await presentRun(ports, actor, chosen);
  const providers = hasRole(actor, 'member') ? await offered(ports) : [];
  const canRun = hasRole(actor, 'member') && (await ports.settings.current()).showAiAnalysis;
  const refusal = canRun ? await refusalOf(() => checkAnalysable(ports, actor, of), providers) : null;
  return {
    runs: await presentHeads(ports, actor, runs),
    selected,
    providers: providers.map((one) => ({
      id: one.id,
      name: one.name,
      model: one.model,
      is_default: one.isDefault,
      hides_names: hidesNames(one),
    })),
    can_run: canRun,
    can_run_now: canRun && refusal === null,
    refusal,
    stalled: selected?.stalled ?? false,
  };
}

/** Providers that are switched on, the default first. */
export async function offered({ aiProviders }: Pick<Ports, 'aiProviders'>): Promise<readonly AiProvider[]> {
  const enabled = (await aiProviders.all()).filter(({ isEnabled }) => isEnabled);
  return [...enabled.filter(({ isDefault }) => isDefault), ...enabled.filter(({ isDefault }) => !isDefault)];
}

async function refusalOf(check: () => Promise<void>, providers: readonly AiProvider[]): Promise<string | null> {
  if (providers.length === 0) return 'No AI provider is switched on';
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
