import { randomBytes } from 'node:crypto';

/** A password of 96 random bits, in 16 characters. */
export function generatePassword(): string {
  return randomBytes(12).toString('base64url');
}
