import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, severities, suppressionLimits, suppressionTests, type Actor, type Suppression } from '@svc/domain';
import { readPlainDocument, writeDocument } from '@svc/engine';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { requestBackgroundTask, type RequestPorts } from '../work/request-background-task.ts';

const Override = z.strictObject({
  pack: z.string().max(64),
  rule: z.string().min(1).max(100),
  enabled: z.boolean().default(true),
  level: z.enum(severities).nullable().default(null),
});

const Suppressed = z.strictObject({
  rule: z.string().min(1).max(100),
  name: z.string().min(1).max(500),
  reason: z.string().min(1).max(suppressionLimits.reason),
  /** For who reads the document: whoever takes it in answers for it. */
  author: z.string().optional(),
  expires: z.iso.datetime().optional(),
  private: z.boolean().default(false),
  conditions: z
    .array(
      z.strictObject({
        field: z.string().min(1).max(suppressionLimits.field),
        test: z.enum(suppressionTests),
        value: z.string().min(1).max(suppressionLimits.value),
      }),
    )
    .max(suppressionLimits.conditions)
    .default([]),
});

const RuleDecisions = z.strictObject({
  overrides: z.array(Override).max(10_000).default([]),
  suppressions: z.array(Suppressed).max(1000).default([]),
});

/** What was decided about rules here: overrides of all packs, and what the instance suppresses. */
export async function exportRuleDecisions({
  rulePacks,
  suppressions,
}: Pick<Ports, 'rulePacks' | 'suppressions'>): Promise<Uint8Array> {
  const packs = await rulePacks.list();
  const suppressed = (await suppressions.list(null)).filter(({ removedAt }) => removedAt === null);
  const document = {
    overrides: packs.flatMap(({ pack, overrides }) =>
      overrides.map(({ ruleId, enabled, level }) => ({ pack: pack.name, rule: ruleId, enabled, level })),
    ),
    suppressions: suppressed.toReversed().map(toEntry),
  };
  return new TextEncoder().encode(writeDocument(document));
}

function toEntry(one: Suppression) {
  return {
    rule: one.ruleId,
    name: one.ruleName,
    reason: one.reason,
    ...(one.author !== null && { author: one.author.name }),
    ...(one.expiresAt !== null && { expires: one.expiresAt.toISOString() }),
    ...(one.isPrivate && { private: true }),
    conditions: one.conditions.map(({ field, test, value }) => ({ field, test, value })),
  };
}

/** Takes in what such a document says; suppressions that are here already and overrides of packs that are not are skipped. */
export async function importRuleDecisions(
  ports: RequestPorts & Pick<Ports, 'rulePacks' | 'suppressions'>,
  actor: Actor,
  { document }: InputOf<typeof operations.importRuleDecisions>,
): Promise<OutputOf<typeof operations.importRuleDecisions>> {
  const { userId, email } = signedIn(actor);
  const decisions = read(document);
  const skipped: string[] = [];
  let overrides = 0;
  for (const { pack, rule, enabled, level } of decisions.overrides) {
    const decision = enabled && level === null ? null : { enabled, level };
    if (await ports.rulePacks.override(pack, rule.toLowerCase(), decision)) overrides += 1;
    else skipped.push(`The rule pack “${pack}” is not here: rule ${rule}`);
  }
  const now = ports.clock.now();
  const known = await ports.suppressions.list(null);
  let suppressions = 0;
  for (const {
    rule: ruleId,
    name: ruleName,
    reason,
    expires,
    private: isPrivate,
    conditions,
  } of decisions.suppressions) {
    const expiresAt = expires === undefined ? null : new Date(expires);
    const isKnown = known.some(
      (one) => one.removedAt === null && one.ruleId === ruleId && isDeepStrictEqual(one.conditions, conditions),
    );
    if (isKnown) skipped.push(`It is suppressed already: ${ruleName}`);
    else if (expiresAt !== null && expiresAt <= now) skipped.push(`Its time is over: ${ruleName}`);
    else {
      const written = { caseId: null, ruleId, ruleName, conditions, reason, isPrivate, authorId: userId };
      const targetId = await ports.suppressions.add({ ...written, createdAt: now, expiresAt });
      await requestBackgroundTask(ports, { kind: 'apply_suppression', targetId, requestedBy: email });
      suppressions += 1;
    }
  }
  return { overrides, suppressions, skipped };
}

function read(text: string): z.output<typeof RuleDecisions> {
  const told = readPlainDocument(text, { maxDepth: 8, mostEvents: 200_000 });
  if (!('value' in told)) throw new AppError('bad_request', `document: line ${told.line}: ${told.message}`);
  const { success, data, error } = RuleDecisions.safeParse(told.value);
  if (success) return data;
  const [issue] = error.issues;
  throw new AppError('bad_request', `document: ${issue!.path.join('.') || 'it'}: ${issue!.message}`);
}
