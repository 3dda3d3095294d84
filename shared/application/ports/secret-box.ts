/** Seals the secrets that the service must be able to read again: tokens of providers, webhook secrets. */
export interface SecretBox {
  /** @param place where it is kept, such as `ai_provider:7/api_token`: it opens nowhere else. */
  seal(secret: string, place: string): Promise<string>;
  /** Null, which is logged, when it was altered, moved, or sealed under a key that is gone. */
  open(sealed: string, place: string): Promise<string | null>;
  /** Ids of the keys that there are to open with, that which seals first: they tell nothing of the keys. Makes none. */
  keyIds(): readonly string[];
  /** The id of the key under which it was sealed; null when it is no sealed secret. */
  keyIdOf(sealed: string): string | null;
}
