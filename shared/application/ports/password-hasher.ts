/** Who waits for a password to be checked: somebody known goes first. */
export type Asker = 'known' | 'stranger';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a null hash, so that an unknown account looks like a wrong password. Throws `busy` when too many
   * wait.
   * @default known
   */
  verify(hash: string | null, password: string, asker?: Asker): Promise<boolean>;
}
