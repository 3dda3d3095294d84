import { tagColor, type ActionTag } from '@svc/domain';
import { tellOfTags } from '../tags/give-tags.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

type Given = readonly { readonly tags: readonly ActionTag[]; readonly entityIds: readonly number[] }[];

/** Gives entities the tags of rules, as far as they lack them: what has them all is neither locked nor written. */
export async function tagMatchedEntities(tx: TransactionPorts, given: Given, at: Date): Promise<void> {
  const links = given.flatMap(({ tags, entityIds }) =>
    namesOf(tags).flatMap((name) => entityIds.map((entityId) => ({ name, entityId }))),
  );
  if (links.length === 0) return;
  const lacking = await tx.tags.lacking(links);
  if (lacking.length === 0) return;
  const names = new Set(lacking.map(({ name }) => name));
  await makeTags(
    tx,
    given.flatMap(({ tags }) => tags.filter(({ name }) => names.has(name))),
    at,
  );
  // All at once, in the order in which everybody locks them.
  const held = new Set(await tx.entities.hold([...new Set(lacking.map(({ entityId }) => entityId))]));
  await tx.tags.give(
    lacking.filter(({ entityId }) => held.has(entityId)),
    { by: null, at },
  );
}

/** The same of a job, which the transaction holds. */
export async function tagMatchedJob(
  tx: TransactionPorts,
  jobId: number,
  tags: readonly ActionTag[],
  at: Date,
): Promise<void> {
  const carried = new Set((await tx.tags.ofJob(jobId)).map(({ name }) => name));
  const missing = tags.filter(({ name }) => !carried.has(name));
  if (missing.length === 0) return;
  await makeTags(tx, missing, at);
  const links = await tx.tags.add(wanted(missing), { jobIds: [jobId], by: null, at });
  await tx.jobs.mark([jobId]);
  await tellOfTags(tx, links, { by: null, at });
}

/** Those that the vocabulary has not, in their colours. */
async function makeTags(tx: TransactionPorts, tags: readonly ActionTag[], at: Date): Promise<void> {
  const byName = new Map(tags.map((tag) => [tag.name, tag]));
  for (const { name } of await tx.tags.named([...byName.keys()])) byName.delete(name);
  if (byName.size === 0) return;
  const made = [...byName.values()].map(({ name, color }) => ({ name, color: tagColor(color) }));
  await tx.tags.create(made, { description: null, by: null, at });
}

const namesOf = (tags: readonly ActionTag[]): string[] => [...new Set(tags.map(({ name }) => name))];
const wanted = (tags: readonly ActionTag[]) => namesOf(tags).map((name) => ({ name, color: null }));
