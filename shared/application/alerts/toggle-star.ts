import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { alertRuleLimits, AppError, notFound, starQuery, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';

/** Makes a rule of the caller's that tells when a job names an entity, or deletes the one that there is (resolved-intel 3.1). */
export async function toggleStar(
  { clock, deployment, transaction }: Pick<Ports, 'clock' | 'deployment' | 'transaction'>,
  actor: Actor,
  { id: entityId }: InputOf<typeof operations.toggleStar>,
): Promise<OutputOf<typeof operations.toggleStar>> {
  const { userId } = signedIn(actor);
  return transaction(async ({ alertRules, entities }) => {
    await entities.hold([entityId]);
    const entity = await entities.get(entityId);
    if (entity === null) throw notFound('entity');
    const owned = await alertRules.countOwn(userId);
    const starred = await alertRules.ofStar(userId, entityId);
    if (starred !== null) {
      await alertRules.delete(starred);
    } else {
      const most = deployment.alertRulesPerAccount;
      if (owned >= most)
        throw new AppError('rule_limit', `You have ${most} rules, which is the most; delete one of them first`);
      await alertRules.insert({
        definition: {
          name: Array.from(entity.value).slice(0, alertRuleLimits.name).join(''),
          description: '',
          scope: 'entity',
          query: starQuery(entity.value),
          entityTypes: [entity.type],
          actionTags: [],
          notifies: true,
          webhook: { url: null, method: 'POST', headers: {}, enabled: false },
          tellsOfWatchedJobs: false,
        },
        ownerId: userId,
        key: null,
        enabled: true,
        autoEntityId: entityId,
        by: userId,
        at: clock.now(),
      });
    }
    return { watching: starred === null, watchlist: (await entities.get(entityId))!.isWatched };
  });
}
