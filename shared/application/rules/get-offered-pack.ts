import type { operations, OutputOf } from '@svc/contracts';
import { type RulePack, sigmaHq } from '@svc/domain';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';

/** So long the name of a release is good for; asked anew it is nearly always the same. */
const keptMs = 600_000;
type Asked = { readonly release: string | null; readonly reason: string | null };
let last: { readonly at: number; readonly asked: Asked } | undefined;

/** The newest release of SigmaHQ, where no pack is of its rules; nobody is asked for it otherwise. */
export async function getOfferedPack(
  ports: Pick<Ports, 'clock' | 'deployment' | 'outbound' | 'rulePacks'>,
): Promise<OutputOf<typeof operations.getOfferedPack>> {
  const packs = (await ports.rulePacks.list()).map(({ pack }) => pack);
  if (packs.some(isOfSigmaHq)) return { offer: null };
  const { name, licence, archive: url } = sigmaHq;
  const now = ports.clock.now().getTime();
  if (last === undefined || now - last.at >= keptMs) last = { at: now, asked: await askForRelease(ports) };
  return { offer: { name, licence, url, ...last.asked } };
}

function isOfSigmaHq({ name, url, inForce }: RulePack): boolean {
  return name.startsWith('sigma') || /^https:\/\/github\.com\/SigmaHQ\//i.test(url ?? inForce.source);
}

/** The page of the newest release is a redirect to its tag. */
async function askForRelease({ deployment, outbound }: Pick<Ports, 'deployment' | 'outbound'>): Promise<Asked> {
  if (deployment.rulePacks.refreshHours === 0) return { release: null, reason: 'packs are not to be looked for' };
  try {
    const request = { purpose: 'rule_pack', method: 'GET', url: sigmaHq.latest, timeoutMs: 5000 } as const;
    const location = await outbound.send(request, (answer) => answer.location);
    const release = /\/releases\/tag\/([\w.+-]{1,80})$/.exec(location ?? '')?.[1] ?? null;
    return { release, reason: release === null ? 'its host answered with something else' : null };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { release: null, reason: error.message };
  }
}

/** For tests, which ask again at once. */
export function forgetRelease(): void {
  last = undefined;
}
