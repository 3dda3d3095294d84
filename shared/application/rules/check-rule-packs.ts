import { corePackName, daysSince, isStale, type ReadinessCheck, type RulePack, staleAfterDays } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

const section = 'Detection tools';

/** Whether there are rules in use, and whether those are such as to be trusted (resolved-platform 16.1 and 21). */
export async function checkRulePacks({
  clock,
  deployment,
  rulePacks,
}: Pick<Ports, 'clock' | 'deployment' | 'rulePacks'>): Promise<ReadinessCheck[]> {
  const packs = (await rulePacks.list()).map(({ pack }) => pack);
  const now = clock.now();
  return [
    ...(packs.some(({ enabled }) => enabled) ? [] : [nothingInUse]),
    ...missingFrom(packs, deployment).map(notHere),
    ...packs.flatMap((pack) => checkPack(pack, daysSince(pack.inForce.datedAt, now))),
  ];
}

/** Names of the packs that the operator wants to have, and that are not here. */
export async function missingPacks({
  deployment,
  rulePacks,
}: Pick<Ports, 'deployment' | 'rulePacks'>): Promise<string[]> {
  if (deployment.rulePacks.sources.length === 0) return [];
  return missingFrom(
    (await rulePacks.list()).map(({ pack }) => pack),
    deployment,
  );
}

function missingFrom(packs: readonly RulePack[], { rulePacks }: Ports['deployment']): string[] {
  return rulePacks.sources.map(([named]) => named).filter((named) => !packs.some(({ name }) => name === named));
}

const nothingInUse: ReadinessCheck = {
  section,
  level: 'FAIL',
  name: 'Rule packs',
  message: 'No rule pack is in use, so analyses fail rather than to look clean',
  fix: 'Switch a pack on, or import one, at Admin, Rule packs',
};

function notHere(pack: string): ReadinessCheck {
  return {
    section,
    level: 'WARN',
    name: 'Rule packs',
    message: `RULE_PACKS names the pack “${pack}”, which is not here: reports lack what its rules would find`,
    fix: 'It is looked for at each start and every hour; where that fails, the log says why',
  };
}

/** How to come to newer rules. */
function freshened(pack: string, url: string | null): string {
  if (pack === corePackName) return 'Update the service, which brings newer ones, or import another pack beside it';
  return url === null ? 'Import a newer version' : `Look for a newer version at ${url}, or import one`;
}

function checkPack({ name: pack, enabled, url, checkError, inForce }: RulePack, days: number): ReadinessCheck[] {
  const name = `Rule pack ${pack}`;
  const checks: ReadinessCheck[] = [];
  const add = (level: ReadinessCheck['level'], message: string, fix: string | null): void =>
    void checks.push({ section, level, name, message, fix });
  if (!enabled) {
    add('INFO', 'Switched off', null);
    return checks;
  }
  if (isStale(pack, days)) {
    const because = 'stale rules make reports look clean';
    add('WARN', `Its newest rule is ${days} days old, more than ${staleAfterDays}: ${because}`, freshened(pack, url));
  }
  if (checkError !== null) {
    const fix = 'See whether this machine reaches the address; a version can be imported from a file too';
    add('WARN', `The last look for a newer version failed: ${checkError}`, fix);
  }
  if (checks.length === 0) add('PASS', `${inForce.loaded} rules, the newest of ${inForce.datedAt}`, null);
  return checks;
}
