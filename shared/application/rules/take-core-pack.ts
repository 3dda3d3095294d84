import { corePackName, daysSince, staleAfterDays } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { type PackPorts, takeRulePack } from './take-rule-pack.ts';

/**
 * Puts the rules that ship with the service in force, where it has others than before. A service that
 * cannot do it starts all the same, with the rules that it has.
 */
export async function takeCorePack(ports: PackPorts & Pick<Ports, 'shipped'>): Promise<void> {
  const path = ports.shipped.corePack();
  if (path === null) return;
  const origin = { path, fileName: corePackName, source: 'shipped', url: null };
  try {
    await takeRulePack(ports, origin, { name: corePackName, version: null }, null);
  } catch (error) {
    ports.log.error('the shipped rules cannot be used', { error });
  }
}

/** Says to the operator which packs may miss what attackers do today (resolved-platform 21). */
export async function warnOfOldPacks({
  clock,
  log,
  rulePacks,
}: Pick<Ports, 'clock' | 'log' | 'rulePacks'>): Promise<void> {
  for (const { pack } of await rulePacks.list()) {
    const days = daysSince(pack.inForce.datedAt, clock.now());
    if (pack.enabled && days > staleAfterDays)
      log.warn('a rule pack is old; import a newer version', { pack: pack.name, days });
  }
}
