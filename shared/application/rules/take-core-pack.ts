import { corePackName } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { checkRulePacks } from './check-rule-packs.ts';
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

/** Says to the operator what is wrong with the packs: none in use, stale ones, newer ones that cannot be had. */
export async function warnOfRulePacks(ports: Pick<Ports, 'clock' | 'deployment' | 'log' | 'rulePacks'>): Promise<void> {
  for (const { level, name, message, fix } of await checkRulePacks(ports)) {
    if (level === 'WARN' || level === 'FAIL') ports.log.warn(`${name}: ${message}`, { fix });
  }
}
