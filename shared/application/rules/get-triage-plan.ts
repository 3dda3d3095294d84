import type { InputOf, operations, OutputOf, TriagePlan } from '@svc/contracts';
import { AppError, type Actor, type WorkflowTask } from '@svc/domain';
import { EngineFailure } from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import type { DeriveConfig } from '../ports/report-config.ts';
import { toRuleSetView } from './present-pack.ts';
import { panelsOf } from '../system/panels.ts';
import { refuseInDemoMode } from '../submissions/admit-upload.ts';
import { chosenWorkflow } from '../submissions/chosen-workflow.ts';
import { getsAllRules, rulesInBrowser, runsInBrowser, type TriagePorts, usesOtherRules } from './rules-in-browser.ts';

type PlanPorts = TriagePorts & Pick<Ports, 'reportConfig'>;

/** Which packs there are is nothing for visitors. */
const noneForVisitors =
  'There are no rules that visitors could apply here by this workflow; submit the log instead, or sign in';

/**
 * What an analysis in the browser needs beside the log: the rules in force for the workflow, what reports are
 * derived by, and what the site shows of them. The same that a job would begin with now, but for the rules that
 * the site keeps from visitors.
 */
export async function getTriagePlan(
  ports: PlanPorts,
  actor: Actor,
  { workflow_id: id }: InputOf<typeof operations.getTriagePlan>,
): Promise<OutputOf<typeof operations.getTriagePlan>> {
  await refuseInDemoMode(ports);
  const workflow = await chosenWorkflow(ports, id);
  const [all, derive, site, getsAll, engines] = await Promise.all([
    ports.workflows.tasks(id),
    ports.reportConfig.current(),
    ports.settings.current(),
    getsAllRules(ports, actor),
    ports.engines.current(),
  ]);
  const known = all.map((task) => ({ task, engine: engines.get(task) }));
  const here = known.filter(({ engine }) => runsInBrowser(engine));
  const elsewhere = known.filter(({ task, engine }) => !runsInBrowser(engine) && (engine || !task.whenAvailable));
  return {
    workflow: { id: workflow.id, name: workflow.name },
    tasks: await Promise.all(here.map(({ task }) => planned(ports, task, getsAll, site.maxFindingDetails))),
    shipped_rules_only:
      !getsAll &&
      (await usesOtherRules(
        ports,
        here.map(({ task }) => task),
      )),
    elsewhere: elsewhere.map(({ task }) => task.tool),
    derive: present(derive),
    panels: panelsOf(site),
  };
}

async function planned(
  ports: PlanPorts,
  task: WorkflowTask,
  getsAll: boolean,
  maxFindingDetails: number,
): Promise<TriagePlan['tasks'][number]> {
  const { digest, ruleSet } = await rulesInBrowser(ports, task, getsAll).catch((error: unknown) => {
    if (!(error instanceof EngineFailure)) throw error;
    throw new AppError('pack_refused', getsAll ? error.message : noneForVisitors, { cause: error });
  });
  return {
    tool: task.tool,
    rules: toRuleSetView(ruleSet, ports.clock.now()),
    rules_url: `/api/ui/triage/rules/${digest}`,
    max_finding_details: task.maxFindingDetails ?? maxFindingDetails,
  };
}

function present({ entities, maxEvents, threats }: DeriveConfig): TriagePlan['derive'] {
  return {
    ...(maxEvents !== undefined && { maxEvents }),
    entities: {
      fields: Object.fromEntries(Object.entries(entities.fields).map(([type, names]) => [type, [...names]])),
      ignoredUsers: [...entities.ignoredUsers],
      commandLineExtensions: [...entities.commandLineExtensions],
    },
    threats: threats.map(({ checks, ...category }) => ({ ...category, checks: checks.map((check) => ({ ...check })) })),
  };
}
