import type { EntityName, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, mostAliases, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { EntityAliases } from './entity-aliases.ts';
import type { OtherEntity } from './entity-links.ts';

type AliasPorts = Pick<Ports, 'clock' | 'entityAliases' | 'transaction'>;
type Groups = Awaited<ReturnType<EntityAliases['groupsOf']>>;

/** Makes entities one subject, with all that they are one with already (resolved-intel 24); ids that are of none are skipped. */
export async function uniteEntities(
  ports: AliasPorts,
  actor: Actor,
  { id, entity_ids: ids }: InputOf<typeof operations.uniteEntities>,
): Promise<OutputOf<typeof operations.uniteEntities>> {
  return changingGroups(ports, [id, ...ids], async (tx, { members, held }) => {
    if (!held.includes(id)) throw notFound('entity');
    const united = members.filter((one) => held.includes(one));
    if ((await tx.entityAliases.typesOf(united)).length > 1) {
      throw new AppError('bad_request', 'Only entities of one type can be the same');
    }
    if (united.length > mostAliases) {
      throw new AppError('too_many', `At most ${mostAliases} entities can be the same; these are ${united.length}`);
    }
    if (united.length > 1) {
      const by = actor.kind === 'account' ? actor.userId : null;
      await tx.entityAliases.unite(united, { by, at: ports.clock.now() });
    }
    return { aliases: othersOf(await tx.entityAliases.groupsOf([id]), id) };
  });
}

/** Takes an entity out of its group, whose others stay one; those it was one with, for whoever wants to undo it. */
export async function separateEntity(
  ports: AliasPorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.separateEntity>,
): Promise<OutputOf<typeof operations.separateEntity>> {
  return changingGroups(ports, [id], async (tx, { groups, held }) => {
    if (!held.includes(id)) throw notFound('entity');
    const others = othersOf(groups, id);
    if (others.length > 0) {
      await tx.entityAliases.separate(
        id,
        others.map((other) => other.id),
      );
    }
    return { aliases: others };
  });
}

/** The entities that one is the same as, the lowest id first. */
export function othersOf(groups: Groups, id: number): EntityName[] {
  return (groups.get(id) ?? []).filter((member) => member.id !== id).map(aliasName);
}

export function aliasName({ id, value, type }: OtherEntity): EntityName {
  return { id, value, entity_type: type };
}

interface Held {
  readonly groups: Groups;
  /** The entities asked for, and all that are one with one of them. */
  readonly members: readonly number[];
  /** Those of them that exist. */
  readonly held: readonly number[];
}

/** Whoever changes a group holds all of it, in the order of all locks: with one that has grown meanwhile it begins anew. */
async function changingGroups<T>(
  { entityAliases, transaction }: AliasPorts,
  ids: readonly number[],
  change: (tx: TransactionPorts, those: Held) => Promise<T>,
): Promise<T> {
  for (;;) {
    const known = membersOf(await entityAliases.groupsOf(ids), ids);
    const done = await transaction(async (tx) => {
      const held = await tx.entities.hold(known);
      const groups = await tx.entityAliases.groupsOf(ids);
      const members = membersOf(groups, ids);
      return members.every((one) => known.includes(one))
        ? { result: await change(tx, { groups, members, held }) }
        : null;
    });
    if (done !== null) return done.result;
  }
}

function membersOf(groups: Groups, ids: readonly number[]): number[] {
  return [...new Set(ids.flatMap((id) => [id, ...(groups.get(id) ?? []).map((member) => member.id)]))];
}
