import type { operations, OutputOf } from '@svc/contracts';
import {
  alertRuleLimits,
  namesTag,
  publicName,
  tagName,
  withTagRenamed,
  type Actor,
  type AlertRuleDefinition,
} from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

type Moved = OutputOf<typeof operations.renameTag>;
type Referring = Pick<Moved, 'references' | 'updated'>;

interface Renaming {
  readonly actor: Actor;
  readonly at: Date;
  /** Whether what the actor owns takes the new name. */
  readonly updates: boolean;
  readonly from: string;
  readonly to: string;
}

/**
 * What the actor finds and that names a tag which has another name now: saved searches, their own rules and shared ones
 * (resolved-intel 9.3). Their own are changed where asked for; the others still say the old name.
 */
export async function renameReferences(tx: TransactionPorts, renaming: Renaming): Promise<Referring> {
  if (renaming.from === renaming.to) return { references: [], updated: 0 };
  const searches = await inSearches(tx, renaming);
  const rules = await inRules(tx, renaming);
  return {
    references: [...searches.references, ...rules.references],
    updated: searches.updated + rules.updated,
  };
}

async function inSearches(tx: TransactionPorts, { actor, at, updates, from, to }: Renaming): Promise<Referring> {
  const { userId } = signedIn(actor);
  const references: Moved['references'] = [];
  let updated = 0;
  for (const search of (await tx.savedSearches.all(userId)).filter((one) => namesTag(one, from))) {
    const { id, name, scope, owner } = search;
    const query = updates && owner.id === userId ? withTagRenamed(search, from, to) : null;
    const isChanged = query !== null && (await tx.savedSearches.change(id, { query, updatedAt: at }));
    if (isChanged) updated += 1;
    else references.push({ kind: 'saved_search', id, name, scope, owner: publicName(owner) });
  }
  return { references, updated };
}

async function inRules(tx: TransactionPorts, { actor, at, updates, from, to }: Renaming): Promise<Referring> {
  const { userId } = signedIn(actor);
  const references: Moved['references'] = [];
  let updated = 0;
  for (const rule of await tx.alertRules.readable({ userId, isAdmin: false })) {
    if (!namesTag(searchOf(rule), from) && !gives(rule, from)) continue;
    const changed = updates && rule.ownerId === userId ? withRuleRenamed(rule, from, to) : null;
    if (changed !== null) {
      await tx.alertRules.change(rule.id, { definition: changed, seedHash: null, by: userId, at });
      updated += 1;
    } else {
      const { scope } = searchOf(rule);
      const owner = rule.owner === null ? null : publicName(rule.owner);
      references.push({ kind: 'rule', id: rule.id, name: rule.name, scope, owner });
    }
  }
  return { references, updated };
}

/** What the condition of a rule asks for, as a saved search would say it. */
function searchOf({ scope, query }: Pick<AlertRuleDefinition, 'scope' | 'query'>) {
  return { scope: scope === 'job' ? ('jobs' as const) : ('entities' as const), query: { q: query } };
}

function gives({ actionTags }: Pick<AlertRuleDefinition, 'actionTags'>, tag: string): boolean {
  return actionTags.some(({ name }) => tagName(name) === tag);
}

/** The definition with another name for a tag; null where the condition cannot be written so, or would be too long. */
function withRuleRenamed(rule: AlertRuleDefinition, from: string, to: string): AlertRuleDefinition | null {
  const { name, description, scope, entityTypes, notifies, webhook, tellsOfWatchedJobs } = rule;
  const asked = withTagRenamed(searchOf(rule), from, to)?.['q'];
  if (typeof asked !== 'string' || asked.length > alertRuleLimits.query) return null;
  const renamed = rule.actionTags.map((tag) => (tagName(tag.name) === from ? { ...tag, name: to } : tag));
  // Both names may have stood there.
  const actionTags = renamed.filter((tag, index) => renamed.findIndex((one) => one.name === tag.name) === index);
  return { name, description, scope, query: asked, entityTypes, actionTags, notifies, webhook, tellsOfWatchedJobs };
}
