import type { Log } from '@svc/application/ports/log.ts';
import type { SecretBox } from '@svc/application/ports/secret-box.ts';
import { compactDecrypt, CompactEncrypt, decodeProtectedHeader } from 'jose';
import { createHash } from 'node:crypto';

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * Secrets as compact JWE: AES-256-GCM under a key made from a passphrase by SHA-256 (resolved-platform
 * 14.4). The header, which is authenticated, holds the key's id and the secret's place.
 */
export class JoseSecretBox implements SecretBox {
  readonly #passphrase: string | (() => string);
  readonly #older: readonly Key[];
  readonly #log: Log;
  #sealing: Key | null;

  /**
   * @param passphrase seals; a function makes it when something is first sealed or opened.
   * @param older passphrases that still open what they have sealed.
   */
  constructor(passphrase: string | (() => string), older: readonly string[], log: Log) {
    this.#passphrase = passphrase;
    this.#older = older.map(keyOf);
    this.#log = log;
    this.#sealing = typeof passphrase === 'string' ? keyOf(passphrase) : null;
  }

  seal(secret: string, place: string): Promise<string> {
    const { id, bytes } = this.#sealingKey();
    return new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id, place })
      .encrypt(bytes);
  }

  keyIds(): readonly string[] {
    return [this.#sealing, ...this.#older].flatMap((key) => key?.id ?? []);
  }

  keyIdOf(sealed: string): string | null {
    try {
      return decodeProtectedHeader(sealed).kid ?? null;
    } catch {
      return null;
    }
  }

  async open(sealed: string, place: string): Promise<string | null> {
    try {
      const { kid } = decodeProtectedHeader(sealed);
      const key = [this.#sealingKey(), ...this.#older].find(({ id }) => id === kid);
      if (key) {
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, key.bytes, algorithms);
        if (protectedHeader['place'] === place) return new TextDecoder().decode(plaintext);
      }
    } catch {
      // Said below; an error's text could quote the value.
    }
    this.#log.warn('a stored secret cannot be opened and counts as absent', { place });
    return null;
  }

  #sealingKey(): Key {
    this.#sealing ??= keyOf(typeof this.#passphrase === 'string' ? this.#passphrase : this.#passphrase());
    return this.#sealing;
  }
}

function keyOf(passphrase: string): Key {
  const bytes = createHash('sha256').update(passphrase).digest();
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}
