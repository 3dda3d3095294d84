import type { AlertReason, InputOf, MatchedEvent, operations } from '@svc/contracts';
import { notFound, parseEntitySearch, parseSearch, type Actor, type Finding } from '@svc/domain';
import { planSearch } from '../jobs/plan-search.ts';
import type { Ports } from '../ports/ports.ts';
import { naming } from '../report/shown/findings-naming.ts';
import { toMatchedEvent } from '../report/shown/findings.ts';
import type { Alert } from './alert-repository.ts';
import { matchEach } from './entity-matcher.ts';
import { searchOf } from './rule-condition.ts';

const shownFindings = 20;
/** Of each of these an event is read. */
const withEvent = 5;

type ExplainPorts = Pick<
  Ports,
  'clock' | 'entityAlerts' | 'entityLinks' | 'findings' | 'jobAlerts' | 'settings' | 'transaction'
>;

/** Which terms of the rule hold for the entity by now, and the findings of the job whose matched events name it. */
export async function explainAlert(
  ports: Omit<ExplainPorts, 'jobAlerts'>,
  actor: Actor,
  { id }: InputOf<typeof operations.explainAlert>,
): Promise<AlertReason> {
  const { clock, entityLinks, transaction } = ports;
  const alert = await ports.entityAlerts.get(actor, id);
  if (!alert?.entity) throw notFound('alert');
  const { id: entityId, value } = alert.entity;
  const { terms } = parseEntitySearch(searchOf(alert.rule.query));
  const questions = terms.map((term) => ({ viewer: actor, root: { kind: 'term', term } as const, types: [] }));
  const held = await transaction(async (tx) => {
    const asked = { ids: [entityId] };
    const entities = await tx.ruleMatches.entities(asked);
    const matcher = await matchEach(tx, { asked, entities, now: clock.now() }, questions);
    return questions.map((question) => matcher.meeting(question, 1));
  });
  const worst = { page: 1, per: shownFindings, job: alert.jobId, areSuppressed: false };
  const found = await entityLinks.findings(actor, [entityId], worst);
  const { jobs } = await entityLinks.jobs(actor, [entityId], { page: 1, per: 1, among: [alert.jobId] });
  return {
    terms: terms.map(({ text, condition }, place) => {
      const matched = held[place] ?? [];
      return { text, holds: condition === null || matched instanceof Error ? null : matched.length > 0 };
    }),
    is_edited: isEdited(alert),
    events: jobs[0]?.occurrences ?? 0,
    findings: await withEvents(ports, found.findings, value),
  };
}

/** Which terms of the rule hold for the job by now, and the worst of what was found in it. */
export async function explainJobAlert(
  ports: Omit<ExplainPorts, 'entityAlerts' | 'entityLinks'>,
  actor: Actor,
  { id }: InputOf<typeof operations.explainJobAlert>,
): Promise<AlertReason> {
  const { clock, transaction } = ports;
  const alert = await ports.jobAlerts.get(actor, id);
  if (alert === null) throw notFound('alert');
  const { terms } = parseSearch(searchOf(alert.rule.query));
  const shown = await transaction(async (tx) => {
    const asked = terms.map(({ text }) => ({
      viewer: actor,
      search: planSearch(actor, { q: text, tags: [] }, clock.now()).search,
    }));
    const met = await tx.ruleMatches.job(alert.jobId, asked);
    return terms.map(({ text }, place) => {
      const holds = met[place]!;
      return { text, holds: holds instanceof Error ? null : holds };
    });
  });
  const worst = await ports.findings.page(alert.jobId, { severity: null, page: 1, per: withEvent });
  return {
    terms: shown,
    is_edited: isEdited(alert),
    events: null,
    findings: await withEvents(ports, worst.findings, null),
  };
}

/**
 * Findings, the first of them with the event behind the alert.
 * @param value - what it must name; null for whatever comes first
 */
async function withEvents(
  { findings, settings }: Pick<Ports, 'findings' | 'settings'>,
  found: readonly Pick<Finding, 'id' | 'ruleName' | 'severity' | 'count'>[],
  value: string | null,
): Promise<AlertReason['findings']> {
  const { maxFindingDetails: max } = await settings.current();
  return Promise.all(
    found.map(async ({ id, ruleName, severity, count }, place) => {
      const events = place < withEvent ? (await findings.events(id)).slice(0, max).map(toMatchedEvent) : [];
      return { id, rule_name: ruleName, severity, count, event: eventNaming(events, value) };
    }),
  );
}

/** The first that names a value; else the first that names the account or the file of `DOMAIN\account`, `a@b` and paths. */
function eventNaming(events: readonly MatchedEvent[], value: string | null): MatchedEvent | null {
  if (value === null) return events[0] ?? null;
  const bare = value.split(/[\\/]/).at(-1)!.split('@')[0]!;
  return events.find(naming(value)) ?? (bare === '' ? null : (events.find(naming(bare)) ?? null));
}

function isEdited({ at, rule }: Alert): boolean {
  return rule.updatedAt > at;
}
