import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, tagColor, tagName, type Actor, type TagColor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { maintainedTags } from './maintained-tags.ts';
import { renameReferences } from './tag-references.ts';
import type { StoredTag } from './tag-repository.ts';
import { unnamedTag, wantedTags } from './wanted-tags.ts';

type ChangePorts = Pick<Ports, 'clock' | 'transaction'>;
type Moved = OutputOf<typeof operations.renameTag>;

/** Puts tags into the vocabulary (resolved-intel 9.3); those that are there stay as they are. */
export function createTags(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  { description, ...sent }: InputOf<typeof operations.createTags>,
): Promise<OutputOf<typeof operations.createTags>> {
  const wanted = wantedTags(sent);
  const by = actor.kind === 'account' ? actor.userId : null;
  return transaction(async (tx) => {
    // Of several it would say the same.
    const says = wanted.length === 1 && description !== '' ? description : null;
    const created = await tx.tags.create(wanted, { description: says, by, at: clock.now() });
    const names = wanted.map(({ name }) => name);
    return { created: names.filter((name) => created.has(name)), existing: names.filter((name) => !created.has(name)) };
  });
}

/** Renames a tag everywhere; onto one that there is, it is merged into that. Onto one of a shared rule it is refused. */
export function renameTag(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  { tag, new_tag: sent, color, update_references: updates }: InputOf<typeof operations.renameTag>,
): Promise<OutputOf<typeof operations.renameTag>> {
  const [from, to] = [tagName(tag), tagName(sent)];
  if (to === '' || to.includes(',')) throw unnamedTag('new_tag');
  return transaction(async (tx) => {
    const renaming = { actor, at: clock.now(), updates, from, to };
    if (from !== to) await refuseMaintained(tx, [to]);
    if (from !== to && (await tx.tags.named([to])).length > 0) {
      return { ...(await merged(tx, actor, { from, to, color })), ...(await renameReferences(tx, renaming)) };
    }
    const [source] = await tx.tags.hold([from]);
    if (source === undefined) throw unknownTag();
    await tx.tags.change(source.id, { name: to, ...(color === '' ? {} : { color: tagColor(color) }) });
    const shown = color === '' ? source.color : tagColor(color);
    return { tag: to, color: shown, moved: 0, merged: false, ...(await renameReferences(tx, renaming)) };
  });
}

/** Has whatever carries a tag carry another one, and takes the first out of the vocabulary. */
export function mergeTags(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  { tag, into, color, update_references: updates }: InputOf<typeof operations.mergeTags>,
): Promise<OutputOf<typeof operations.mergeTags>> {
  const [from, to] = [tagName(tag), tagName(into)];
  if (from === to) throw new AppError('bad_request', 'into: is the same tag');
  return transaction(async (tx) => {
    await refuseMaintained(tx, [from, to]);
    const moved = await merged(tx, actor, { from, to, color });
    return { ...moved, ...(await renameReferences(tx, { actor, at: clock.now(), updates, from, to })) };
  });
}

/** Gives a tag another colour, everywhere. */
export function recolorTag(
  { transaction }: ChangePorts,
  _actor: Actor,
  { tag, color }: InputOf<typeof operations.recolorTag>,
): Promise<OutputOf<typeof operations.recolorTag>> {
  return transaction(async (tx) => {
    const [source] = await tx.tags.hold([tagName(tag)]);
    if (source === undefined) throw unknownTag();
    await tx.tags.change(source.id, { color: tagColor(color) });
    return { tag: source.name, color: tagColor(color) };
  });
}

/** Takes a tag off everything, and out of the vocabulary. */
export function deleteTag(
  { transaction }: ChangePorts,
  actor: Actor,
  { tag }: InputOf<typeof operations.deleteTag>,
): Promise<OutputOf<typeof operations.deleteTag>> {
  return transaction(async (tx) => {
    const { tags: held, jobs, entities } = await holdCarriers(tx, [tagName(tag)]);
    const [source] = held;
    if (source === undefined) throw unknownTag();
    const removed = await tx.tags.countSeen(actor, { jobs, entities });
    await tx.tags.drop(source.id);
    await tx.jobs.mark(jobs);
    return { removed };
  });
}

async function merged(
  tx: TransactionPorts,
  actor: Actor,
  { from, to, color }: { readonly from: string; readonly to: string; readonly color: string },
): Promise<Omit<Moved, 'references' | 'updated'>> {
  const { tags: held, jobs } = await holdCarriers(tx, [from, to], from);
  const [source, target] = [from, to].map((name) => held.find((one) => one.name === name));
  if (source === undefined || target === undefined) throw unknownTag();
  const shown: TagColor = color === '' ? target.color : tagColor(color);
  const moved = await tx.tags.countSeen(actor, await tx.tags.move(source.id, target.id));
  await tx.tags.change(target.id, { color: shown });
  await tx.tags.drop(source.id);
  await tx.jobs.mark(jobs);
  return { tag: to, color: shown, moved, merged: true };
}

/** Locks what carries a tag, then the tags, which keeps others from giving them; for `mark`, those that carry `of`. */
async function holdCarriers(
  tx: TransactionPorts,
  names: readonly string[],
  of: string = names[0]!,
): Promise<{ readonly tags: readonly StoredTag[]; readonly jobs: number[]; readonly entities: number[] }> {
  const before = await tx.tags.carriers(of);
  await tx.jobs.hold(before.jobs);
  await tx.entities.hold(before.entities);
  const tags = await tx.tags.hold(names);
  // Some may have come until the tags were locked.
  const carriers = await tx.tags.carriers(of);
  const known = new Set(before.jobs);
  const more = carriers.jobs.filter((id) => !known.has(id));
  if (more.length > 0) await tx.jobs.hold(more);
  return { tags, jobs: [...carriers.jobs], entities: [...carriers.entities] };
}

/** A shared rule would go on giving a tag that has been merged away, and what was merged into its own could not be told apart. */
async function refuseMaintained(tx: TransactionPorts, names: readonly string[]): Promise<void> {
  const maintained = await maintainedTags(tx);
  for (const name of names) {
    const rules = maintained.get(name);
    if (rules === undefined) continue;
    const by = rules.map((rule) => `“${rule}”`).join(', ');
    throw new AppError(
      'tag_maintained',
      `The tag “${name}” is given by ${rules.length === 1 ? 'the shared rule' : 'the shared rules'} ${by}, so it cannot be merged`,
    );
  }
}

/** One wording, whether it never was or has gone. */
function unknownTag(): AppError {
  return new AppError('not_found', 'There is no such tag');
}
