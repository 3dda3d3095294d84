import type { RulePack } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { takeFrom } from './import-rule-pack.ts';
import { type PackPorts, type TakenPack, takeRulePack } from './take-rule-pack.ts';

export type RefreshPorts = PackPorts & Pick<Ports, 'deployment' | 'outbound'>;

/** Compiled rules are made again when they are needed; those that no longer are go in this time. */
const artifactDays = 30;

/**
 * Takes the packs that the operator has named, files each time and addresses where they are not here yet, and
 * looks for newer versions of those that came from an address long enough ago. What fails leaves the version
 * before it in force, and is noted with the pack. Returns how many versions are new.
 */
export async function refreshRulePacks(ports: RefreshPorts): Promise<number> {
  const packs = new Map((await ports.rulePacks.list()).map(({ pack }) => [pack.name, pack]));
  const named = new Map(ports.deployment.rulePacks.sources);
  let taken = 0;
  const attempt = async (name: string, take: () => Promise<TakenPack>): Promise<void> => {
    if (await takeOrNote(ports, name, packs.get(name), take)) taken += 1;
  };
  for (const [name, source] of named) {
    const pack = packs.get(name);
    if (!isUrl(source)) await attempt(name, () => takeFile(ports, name, source));
    else if (pack?.url !== source || isDue(ports, pack)) {
      await attempt(name, () => takeFrom(ports, source, { name, version: null }, null));
    }
  }
  for (const [name, pack] of packs) {
    const { url } = pack;
    if (url === null || named.has(name) || !isDue(ports, pack)) continue;
    await attempt(name, () => takeFrom(ports, url, { name, version: null }, null));
  }
  const old = new Date(ports.clock.now().getTime() - artifactDays * 86_400_000);
  for (const { storageKey } of await ports.ruleArtifacts.removeOld(old)) await ports.objects.delete(storageKey);
  return taken;
}

function takeFile(ports: RefreshPorts, name: string, path: string): Promise<TakenPack> {
  return takeRulePack(ports, { path, fileName: name, source: path, url: null }, { name, version: null }, null);
}

/** Whether a new version is in force. */
async function takeOrNote(
  ports: RefreshPorts,
  name: string,
  pack: RulePack | undefined,
  take: () => Promise<TakenPack>,
): Promise<boolean> {
  const at = ports.clock.now();
  // Said before it is done, so that other processes leave it to this one.
  if (pack) await ports.rulePacks.change(name, { checked: { at, error: pack.checkError } });
  try {
    return (await take()).changed;
  } catch (error) {
    const meanwhile = pack ? 'the one before stays in force' : 'there is none of that name';
    ports.log.error(`a rule pack could not be taken; ${meanwhile}`, { pack: name, error });
    const message = error instanceof Error ? error.message : String(error);
    if (pack) await ports.rulePacks.change(name, { checked: { at, error: message } });
    return false;
  }
}

function isDue({ clock, deployment }: RefreshPorts, { checkedAt }: RulePack): boolean {
  const { refreshHours } = deployment.rulePacks;
  if (refreshHours === 0) return false;
  return checkedAt === null || clock.now().getTime() - checkedAt.getTime() >= refreshHours * 3_600_000;
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}
