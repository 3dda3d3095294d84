import type { PasswordHasher } from '@svc/application/ports/password-hasher.ts';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id (the library's default) with 64 MiB, three passes and one lane. */
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export class Argon2Hasher implements PasswordHasher {
  #decoy: Promise<string> | null = null;

  hash(password: string): Promise<string> {
    return hash(password, cost);
  }

  async verify(stored: string | null, password: string): Promise<boolean> {
    if (stored !== null) return verify(stored, password);
    this.#decoy ??= hash('no account has this password', cost);
    await verify(await this.#decoy, password);
    return false;
  }
}
