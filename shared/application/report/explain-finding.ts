import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { RulePackRefused } from '../ports/rule-compiler.ts';
import { LogNotRead, type RuleTest } from '../ports/rule-tester.ts';
import type { StoredEvent } from './new-finding.ts';
import { toWhy, toWhyNot, whyNoRule, whyNot } from './shown/why.ts';

/** Holds the rule of a finding, as it was then, against one of its sample events; throws `busy`. */
export async function explainFinding(
  { findings, ruleTester, settings }: Pick<Ports, 'findings' | 'ruleTester' | 'settings'>,
  actor: Actor,
  { id, event: place }: InputOf<typeof operations.explainFinding>,
): Promise<OutputOf<typeof operations.explainFinding>> {
  if (!(await findings.get(actor, id))) throw notFound('finding');
  const [source, events, { maxFindingDetails }] = await Promise.all([
    findings.ruleSource(id),
    findings.events(id),
    settings.current(),
  ]);
  const event = events.slice(0, maxFindingDetails)[place];
  if (event === undefined) return toWhyNot(place, whyNot.noEvent);
  if (source === null) return toWhyNot(place, whyNot.noRule);
  let test: RuleTest;
  try {
    test = await ruleTester.begin(source);
  } catch (error) {
    if (error instanceof RulePackRefused) return toWhyNot(place, whyNot.tooLong);
    throw error;
  }
  try {
    return await held(test, event, place);
  } finally {
    await test.end();
  }
}

async function held(test: RuleTest, event: StoredEvent, place: number) {
  const reason = whyNoRule(test.compiled);
  if (reason !== null) return toWhyNot(place, reason);
  try {
    const explanation = await test.explain(event);
    return explanation === null ? toWhyNot(place, whyNot.tooLong) : toWhy(place, explanation);
  } catch (error) {
    if (error instanceof LogNotRead) return toWhyNot(place, error.message);
    throw error;
  }
}
