import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor, Finding } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { RulePackRefused } from '../ports/rule-compiler.ts';
import { LogNotRead, type RuleTest } from '../ports/rule-tester.ts';
import { type EvidencePorts, keptEvidence, readAgain, visibleFinding } from './finding-evidence.ts';
import type { StoredEvent } from './new-finding.ts';
import { matchAt } from './shown/matches.ts';
import { toWhy, toWhyNot, whyNoRule, whyNot } from './shown/why.ts';

/** Holds the rule of a finding, as it was then, against one of its matched events; throws `busy`. */
export async function explainFinding(
  ports: EvidencePorts & Pick<Ports, 'settings'>,
  actor: Actor,
  { id, event: sample, match }: InputOf<typeof operations.explainFinding>,
): Promise<OutputOf<typeof operations.explainFinding>> {
  const { findings, ruleTester, settings } = ports;
  const finding = await visibleFinding(ports, actor, id);
  const place = match ?? sample;
  const source = await findings.ruleSource(id);
  if (source === null) return toWhyNot(place, whyNot.noRule);
  const sampled = async () =>
    (await findings.events(id)).slice(0, (await settings.current()).maxFindingDetails)[sample];
  const event = match === undefined ? await sampled() : await anyMatch(ports, finding, match);
  if (!event) return toWhyNot(place, whyNot.noEvent);
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

async function anyMatch(ports: EvidencePorts, finding: Finding, place: number): Promise<StoredEvent | null> {
  const kept = await keptEvidence(ports, finding);
  const match = kept.from === 'kept' || kept.complete ? await matchAt(kept, place) : null;
  if (match !== null || kept.complete) return match;
  const again = await readAgain(ports, finding);
  return again && matchAt(again, place);
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
