import type { ImportedAlertRules, InputOf, operations } from '@svc/contracts';
import { AppError, hasRole, ruleDocumentLimits, type Actor, type AlertRule, type RuleList } from '@svc/domain';
import { isDeepStrictEqual } from 'node:util';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { OwnedAlertRule } from './alert-rule-repository.ts';
import {
  ofPlace,
  readRuleDocument,
  type DocumentList,
  type DocumentPlace,
  type DocumentRule,
  type RuleDocument,
} from './read-rule-document.ts';
import { factsOf, registerTags } from './save-alert-rule.ts';
import { validateAlertRule, type AlertRuleFacts, type ValidatedAlertRule } from './validate-alert-rule.ts';

type ImportPorts = Pick<Ports, 'clock' | 'deployment' | 'outbound' | 'transaction'>;
type Input = InputOf<typeof operations.importAlertRules>;

interface Import {
  readonly userId: string;
  readonly isAdmin: boolean;
  readonly asShared: boolean;
}

/** An entry with what there is of it. */
interface Planned<T, S> extends DocumentPlace {
  readonly entry: T;
  readonly stored: S | null;
}
type PlannedList = Planned<DocumentList, RuleList>;
interface PlannedRule extends Planned<DocumentRule, OwnedAlertRule> {
  readonly isShared: boolean;
  readonly definition: ValidatedAlertRule['definition'];
}

/**
 * Takes the lists and rules of a document, all of them or, when any is bad, none (resolved-intel 13.2). With `dry_run` it
 * only says what would become of them. Throws `invalid_rule` with all reasons.
 */
export async function importAlertRules(ports: ImportPorts, actor: Actor, input: Input): Promise<ImportedAlertRules> {
  const { userId } = signedIn(actor);
  const isAdmin = hasRole(actor, 'admin');
  if (input.as_shared && !isAdmin) throw new AppError('forbidden', 'Shared rules are for administrators');
  if (Buffer.byteLength(input.yaml_text) > ruleDocumentLimits.bytes) {
    throw new AppError('too_large', `A document has ${ruleDocumentLimits.bytes} bytes at most`);
  }
  const document = readRuleDocument(input.yaml_text);
  const errors = [...document.errors, ...structureErrors(document, { userId, isAdmin, asShared: input.as_shared })];
  if (errors.length > 0) throw refused(errors);
  return ports.transaction(async (tx) => {
    const { lists, rules } = await planned(ports, tx, document, { userId, isAdmin, asShared: input.as_shared });
    if (!input.dry_run) {
      const at = ports.clock.now();
      for (const list of lists) await storeList(tx, list, at);
      for (const rule of rules) await storeRule(tx, rule, userId, at);
    }
    const changes = [...lists.map(listChange), ...rules.map(ruleChange)];
    const count = (kind: 'list' | 'rule', isNew: boolean): number =>
      changes.filter((change) => change.kind === kind && (change.change === 'created') === isNew).length;
    return {
      created: count('rule', true),
      updated: count('rule', false),
      lists_created: count('list', true),
      lists_updated: count('list', false),
      as_own: input.as_shared ? rules.filter(({ isShared }) => !isShared).length : 0,
      warnings: cut(document.warnings),
      changes,
    };
  });
}

/** What is wrong with a document whatever is stored. */
function structureErrors({ lists, rules }: RuleDocument, { isAdmin, asShared }: Import): string[] {
  const isShared = ({ rule }: RuleDocument['rules'][number]): boolean => asShared && rule.draft.key !== null;
  return [
    ...(isAdmin ? [] : lists.map((entry) => ofPlace(entry, 'lists are for administrators'))),
    ...repeated(lists, ({ list }) => list.name, 'a list of this name'),
    ...repeated(asShared ? rules : [], ({ rule }) => rule.draft.key, 'a rule of this key'),
    ...[true, false].flatMap((shared) =>
      repeated(
        rules.filter((entry) => isShared(entry) === shared),
        ({ rule }) => nameKey(rule.draft.name),
        'a rule of this name',
      ),
    ),
  ];
}

function repeated<T extends DocumentPlace>(
  entries: readonly T[],
  keyOf: (entry: T) => string | null,
  what: string,
): string[] {
  const first = new Map<string, T>();
  return entries.flatMap((entry) => {
    const key = keyOf(entry);
    if (key === null || key === '') return [];
    const before = first.get(key);
    if (before === undefined) first.set(key, entry);
    return before === undefined ? [] : [ofPlace(entry, `${what} stands on line ${before.line} already`)];
  });
}

async function planned(
  ports: ImportPorts,
  tx: TransactionPorts,
  document: RuleDocument,
  mode: Import,
): Promise<{ lists: PlannedList[]; rules: PlannedRule[] }> {
  const { userId, asShared } = mode;
  const storedLists = new Map((await tx.ruleLists.all()).map((list) => [list.name, list]));
  const lists = document.lists.map(({ list, ...at }) => ({
    ...at,
    entry: list,
    stored: storedLists.get(list.name) ?? null,
  }));
  // Others who make rules of this account wait from here on.
  let own = await tx.alertRules.countOwn(userId);
  const stored = await tx.alertRules.readable({ userId, isAdmin: false });
  // Of several of a name, the oldest.
  const byName = new Map(
    stored
      .filter(({ ownerId }) => ownerId === userId)
      .toReversed()
      .map((rule) => [nameKey(rule.name), rule]),
  );
  const byKey = new Map(stored.filter(({ ownerId }) => ownerId === null).map((rule) => [rule.key, rule]));
  const facts = await factsOf(ports, tx);
  const known: AlertRuleFacts = { ...facts, lists: new Set([...facts.lists, ...lists.map(({ entry }) => entry.name)]) };
  const most = ports.deployment.alertRulesPerAccount;
  const errors: string[] = [];
  const rules = document.rules.map(({ rule, ...at }) => {
    const isShared = asShared && rule.draft.key !== null;
    const before = (isShared ? byKey.get(rule.draft.key) : byName.get(nameKey(rule.draft.name))) ?? null;
    const isOneMore = !isShared && before === null;
    const exceeds = isOneMore && ++own > most ? most : null;
    const draft = {
      ...rule.draft,
      isShared,
      key: isShared ? rule.draft.key : null,
      tellsOfWatchedJobs: before?.tellsOfWatchedJobs ?? false,
    };
    const { problems, definition } = validateAlertRule(draft, { ...known, exceeds });
    errors.push(...problems.map(({ message }) => ofPlace(at, message)));
    return { ...at, entry: rule, stored: before, isShared, definition };
  });
  if (errors.length > 0) throw refused(errors);
  return { lists, rules };
}

async function storeList({ ruleLists }: TransactionPorts, { entry, stored }: PlannedList, at: Date): Promise<void> {
  const { name, match, description, values } = entry;
  if (stored === null) {
    const added = await ruleLists.add({ name, match, description, values, sourceUrl: null, refreshHours: 0 }, at);
    if (added === null) throw new AppError('conflict', `Somebody has made a list “${name}” meanwhile`);
    return;
  }
  await ruleLists.change(stored.id, { match, description, values, sourceEtag: null, seedHash: null }, at);
}

async function storeRule(tx: TransactionPorts, rule: PlannedRule, userId: string, at: Date): Promise<void> {
  const { entry, stored, isShared, definition } = rule;
  const { enabled } = entry;
  if (stored === null) {
    const ownerId = isShared ? null : userId;
    const key = isShared ? entry.draft.key : null;
    await tx.alertRules.insert({ definition, ownerId, key, enabled, by: userId, at });
  } else {
    await tx.alertRules.change(stored.id, { definition, seedHash: null, by: userId, at });
    if (stored.enabled !== enabled) await tx.alertRules.switch(stored.id, enabled);
  }
  await registerTags(tx, definition, userId, at);
}

type Change = ImportedAlertRules['changes'][number];

function listChange({ entry, stored }: PlannedList): Change {
  const { name, match, description, values } = entry;
  const isSame = stored !== null && isDeepStrictEqual({ ...stored, match, description, values: [...values] }, stored);
  return {
    kind: 'list',
    name,
    is_shared: true,
    change: stored === null ? 'created' : isSame ? 'unchanged' : 'updated',
  };
}

function ruleChange({ entry, stored, isShared, definition }: PlannedRule): Change {
  const change = stored === null ? 'created' : isSameRule(stored, definition, entry.enabled) ? 'unchanged' : 'updated';
  return { kind: 'rule', name: definition.name, is_shared: isShared, change };
}

function isSameRule(stored: AlertRule, definition: PlannedRule['definition'], enabled: boolean): boolean {
  return isDeepStrictEqual({ ...stored, ...definition, enabled }, stored);
}

function refused(errors: readonly string[]): AppError {
  const reasons = cut(errors).map((message) => ({ code: 'invalid_rule', message }));
  return new AppError('invalid_rule', reasons.map(({ message }) => message).join('\n'), { reasons });
}

/** So many messages, and how many more there are (service 7). */
function cut(messages: readonly string[]): string[] {
  const { messages: most, messageLength } = ruleDocumentLimits;
  const shown = messages.slice(0, most).map((message) => message.slice(0, messageLength));
  return messages.length > most ? [...shown, `… and ${messages.length - most} more`] : shown;
}

function nameKey(name: string): string {
  return name.trim().toLowerCase();
}
