import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, AppError, notFound, ownPackName } from '@svc/domain';
import { type PackRevision, type RevisedPack, RulePackRefused } from '../ports/rule-compiler.ts';
import { findPack, toPackView } from './present-pack.ts';
import { readBytes } from './stored-object.ts';
import { type PackPorts, putInForce, removeObjects } from './take-rule-pack.ts';

/**
 * Writes a rule into the pack of the administrators' own, as a new version of it. Throws `pack_refused` with line
 * and reason for one that does not load, `not_found`, and `conflict` when the pack has changed meanwhile.
 */
export async function saveRule(
  ports: PackPorts,
  actor: Actor,
  { source, rule_id: id }: InputOf<typeof operations.saveRule>,
): Promise<OutputOf<typeof operations.saveRule>> {
  const saved = await reviseOwnPack(ports, actor, { id: id ?? null, text: source });
  const { pack } = await findPack(ports, ownPackName);
  return { pack: toPackView(pack, ports.clock.now()), rule_id: saved!.id };
}

/** Makes the next version of the pack of one's own; a pack without rules is removed. */
export async function reviseOwnPack(
  ports: PackPorts,
  actor: Actor,
  revision: PackRevision,
): Promise<RevisedPack['saved']> {
  const present = (await ports.rulePacks.list()).find(({ pack }) => pack.name === ownPackName)?.pack.inForce ?? null;
  try {
    const files = present && (await readBytes(ports, present.filesKey));
    const revised = await ports.ruleCompiler.revise(files, revision);
    if (revised === null) throw notFound('rule');
    const { content, saved } = revised;
    if (content === null) {
      await removeObjects(ports, (await ports.rulePacks.remove(ownPackName, present?.digest)) ?? []);
    } else {
      const by = actor.kind === 'account' ? actor.userId : null;
      const condition = { mustLoad: saved?.path, over: present?.digest ?? null };
      // As new as the day on which somebody has last looked after it.
      const today = { ...content, datedAt: null };
      await putInForce(ports, { source: 'written here', url: null }, own, today, by, condition);
    }
    return saved;
  } catch (error) {
    if (!(error instanceof RulePackRefused)) throw error;
    throw new AppError('pack_refused', error.message, { cause: error });
  }
}

const own = { name: ownPackName, version: null };
