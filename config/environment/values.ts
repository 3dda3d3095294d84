import { z } from 'zod';

/** Settings that are wrong together: whether these are, and the sentence that says so. */
export type Contradiction = readonly [boolean, string];
/** What is read from these variables. */
export type Read<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const flag = (fallback = false) => z.stringbool().default(fallback);
export const url = () => z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Words separated by commas. */
export const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  );

/** Placeholders of documentation and sample settings, which everybody knows. */
export const placeholder =
  /^((change|replace)[-_ ]?(me|this|it).*|your[-_ ]?secret.*|(default|insecure|secret|password|secret[-_ ]?key)+|minioadmin)$/i;

export const passphrase = () =>
  z
    .string()
    .min(8, 'must have at least 8 characters')
    .refine((key) => !placeholder.test(key), 'must not be a placeholder');

/** Whether an address that something is published at can be reached from other hosts. */
export function isOffLoopback(address: string): boolean {
  return !/^(127(\.\d+){3}|localhost|\[?::1\]?):\d+$/.test(address);
}
