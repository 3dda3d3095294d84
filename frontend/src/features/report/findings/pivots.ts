/** Longer values, such as scripts, are found nowhere as a whole. */
const longest = 300;
/** The longest digest that stands alone or, as Sysmon writes them, behind its name. */
const digests = [64, 40, 32].map((length) => new RegExp(`(?<![0-9a-f])[0-9a-f]{${length}}(?![0-9a-f])`, 'i'));

/** What to look for elsewhere when somebody follows a value; null where that makes no sense. */
export interface Pivots {
  readonly processes: string | null;
  readonly entities: string | null;
  /** A query of the jobs list: files with this digest, or with this in their name. */
  readonly jobs: string | null;
}

const nowhere: Pivots = { processes: null, entities: null, jobs: null };

/** Where a value of an event may lead: entities are kept by the last part of a path or of an account’s name. */
export function pivotsOf(text: string): Pivots {
  const value = text.trim();
  // Numbers and single signs are everywhere.
  const isTelling = value.length >= 3 && value.length <= longest && !/^(?:0x)?[0-9a-f]{1,8}$/i.test(value);
  if (!isTelling) return nowhere;
  const [digest] = digests.flatMap((pattern) => pattern.exec(value)?.[0] ?? []);
  if (digest !== undefined) {
    return {
      processes: digest,
      entities: digest,
      jobs: digest.length === 64 ? `sha256:${digest.toLowerCase()}` : null,
    };
  }
  const last = value.split(/[\\/]/).at(-1)!.trim();
  return {
    processes: value,
    entities: /\s/.test(value) && last === value ? null : last || null,
    // Other signs mean something in a query.
    jobs: /^[\p{L}\p{N}_][\p{L}\p{N}_.$@-]*$/u.test(last) ? last : null,
  };
}
