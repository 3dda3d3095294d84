import type { Asker, PasswordHasher } from '@svc/application/ports/password-hasher.ts';
import type * as Argon2 from '@node-rs/argon2';
import { HashingLane } from './hashing-lane.ts';

/** Argon2id (the library's default) with 46 MiB, one pass and one lane: the first that OWASP's cheat sheet names. */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** Of the same cost, for accounts that do not exist; a constant, so that the first guess takes no longer. */
const decoy = '$argon2id$v=19$m=47104,t=1,p=1$uFH1pokzGfAOtJ4gqavXQg$XSThEAd79MhsSIZ1FrF6NyvgMnV2jcftTtBh79Hv0IY';

/** A queue of one or two seconds for strangers, and one long enough for a whole team. */
const size = { places: 2, waiting: { known: 100, stranger: 8 } };

export class Argon2Hasher implements PasswordHasher {
  readonly #lane = new HashingLane(size);

  hash(password: string): Promise<string> {
    return this.#lane.run('known', async () => (await argon2()).hash(password, cost));
  }

  async verify(stored: string | null, password: string, asker: Asker = 'known'): Promise<boolean> {
    const matches = await this.#lane.run(asker, async () => (await argon2()).verify(stored ?? decoy, password));
    return matches && stored !== null;
  }
}

/** Loaded with the first password: its native code is not beside functions that never see one. */
function argon2(): Promise<typeof Argon2> {
  return import('@node-rs/argon2');
}
