import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { shownName } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';
import { readableAlertRule } from './found-alert-rule.ts';
import { planRule } from './plan-rule.ts';
import { starredEntity } from './present-alert-rule.ts';
import type { RuleCondition } from './rule-trials.ts';
import { factsOf } from './save-alert-rule.ts';
import { validateAlertRule, type AlertRuleProblem } from './validate-alert-rule.ts';

export type TryPorts = Pick<
  Ports,
  'alertRules' | 'clock' | 'entityLists' | 'jobLists' | 'jobViews' | 'outbound' | 'ruleLists'
>;
type Asked = Pick<InputOf<typeof operations.dryRunAlertRule>, 'entity_types' | 'query' | 'rule_id' | 'scope'>;

const shown = 10;
const recent = 25;

/** What a condition finds right now, with the first of it (resolved-intel 10.3). */
export async function previewAlertRule(
  ports: TryPorts,
  actor: Actor,
  input: InputOf<typeof operations.previewAlertRule>,
): Promise<OutputOf<typeof operations.previewAlertRule>> {
  const { condition, problems } = await read(ports, actor, input);
  const errors = problems.map((problem) => ({ ...problem }));
  if (errors.length > 0) return { count: 0, approximate: false, errors, entities: [], jobs: [] };
  const plan = await planRule(ports, actor, condition, ports.clock.now());
  const place = { page: 1, per: shown };
  if (plan.scope === 'job') {
    const { total, isFloor, jobs } = await ports.jobLists.page(actor, plan.search, place);
    const rows = jobs.map((view) => ({ id: view.job.id, filename: shownName(view) }));
    return { count: total, approximate: isFloor, errors, entities: [], jobs: rows };
  }
  const found = await ports.entityLists.page(actor, plan.search, place, {
    by: 'last_seen',
    isReversed: false,
    foldsAliases: false,
  });
  const entities = found.entities.map(({ id, type, value }) => ({ id, type, value }));
  return { count: found.total, approximate: false, errors, entities, jobs: [] };
}

/** What a rule would have told of the last jobs that the caller sees; nothing is written. */
export async function dryRunAlertRule(
  ports: TryPorts & Pick<Ports, 'ruleTrials'>,
  actor: Actor,
  input: InputOf<typeof operations.dryRunAlertRule>,
): Promise<OutputOf<typeof operations.dryRunAlertRule>> {
  const { condition, problems } = await read(ports, actor, input);
  const errors = problems.map((problem) => ({ ...problem }));
  if (errors.length > 0) return { jobs: 0, matched_jobs: 0, alerts: 0, per_job: [], errors };
  const jobIds = await ports.ruleTrials.recentJobs(actor, recent);
  const plan = await planRule(ports, actor, condition, ports.clock.now());
  const found = await ports.ruleTrials.matches(actor, plan, jobIds);
  return {
    jobs: jobIds.length,
    matched_jobs: found.length,
    alerts: found.reduce((sum, { matches }) => sum + matches, 0),
    per_job: found.map(({ jobId, matches }) => ({ job_id: jobId, count: matches })),
    errors,
  };
}

/** A condition as a form has it, with what is wrong with it; that of a star, while it is unedited, is its entity. */
export async function read(
  ports: Pick<Ports, 'alertRules' | 'outbound' | 'ruleLists'>,
  actor: Actor,
  { scope, query, entity_types: entityTypes, rule_id: ruleId }: Asked,
): Promise<{ readonly condition: RuleCondition; readonly problems: readonly AlertRuleProblem[] }> {
  const { definition, problems } = validateAlertRule(
    {
      // Everything but the condition is fine.
      name: 'tried',
      description: '',
      key: null,
      isShared: false,
      scope,
      query,
      entityTypes,
      actionTags: [],
      notifies: true,
      webhook: { url: null, method: 'POST', headers: {}, enabled: false },
      tellsOfWatchedJobs: false,
    },
    await factsOf(ports, ports),
  );
  const rule = ruleId === null ? null : await readableAlertRule(ports.alertRules, actor, ruleId);
  const entityId = rule && starredEntity({ ...rule, ...definition });
  const { scope: through, query: text, entityTypes: types } = definition;
  return { condition: { scope: through, query: text, entityTypes: types, entityId }, problems };
}
