import type { PasswordHasher } from '@svc/application/ports/password-hasher.ts';
import type * as Argon2 from '@node-rs/argon2';

/** Argon2id (the library's default) with 64 MiB, three passes and one lane. */
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export class Argon2Hasher implements PasswordHasher {
  #decoy: Promise<string> | null = null;

  async hash(password: string): Promise<string> {
    const { hash } = await argon2();
    return hash(password, cost);
  }

  async verify(stored: string | null, password: string): Promise<boolean> {
    const { hash, verify } = await argon2();
    if (stored !== null) return verify(stored, password);
    this.#decoy ??= hash('no account has this password', cost);
    await verify(await this.#decoy, password);
    return false;
  }
}

/** Loaded with the first password: its native code is not beside functions that never see one. */
function argon2(): Promise<typeof Argon2> {
  return import('@node-rs/argon2');
}
