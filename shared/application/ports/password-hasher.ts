export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long for a null hash, so that an unknown account looks like a wrong password. */
  verify(hash: string | null, password: string): Promise<boolean>;
}
