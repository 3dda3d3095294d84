import { z } from 'zod';
import { flag, integer } from './values.ts';

/** Variables of rule packs that are kept up to date. */
export const ruleVariables = {
  RULE_PACKS: z
    .string()
    .default('')
    .transform(packSources)
    .pipe(
      z.array(
        z.tuple([z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/), z.string().min(1)]),
        'must be name=source, or sigmahq',
      ),
    )
    .describe(
      'Rule packs to import at start, as name=source separated by blanks: a URL, or a folder, zip or gzipped tar here. `sigmahq` alone is the newest release of SigmaHQ.',
    ),
  RULE_PACK_REFRESH_HOURS: integer(0, 8760)
    .default(24)
    .describe('Hours after which packs that came from a URL are looked for there again; 0 for never.'),
  RULE_PACK_REQUIRE_PUBLIC_HOST: flag(true).describe('Sources of rule packs must be hosts of the Internet.'),
  RULE_PACK_FETCH_MAX_BYTES: integer(1, 67_108_864)
    .default(33_554_432)
    .describe('Largest rule pack that is fetched from its source, in bytes.'),
  RULE_PACK_FETCH_TIMEOUT_SECONDS: integer(1, 300)
    .default(60)
    .describe('Seconds that fetching a rule pack from its source may take.'),
};

/** Pairs of name and source; what is no pair is left for the schema to refuse, but for the pack known by its name. */
function packSources(text: string): string[][] {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word === 'sigmahq' ? 'sigmahq=sigmahq' : word));
  return words.map((word) => [word.slice(0, Math.max(0, word.indexOf('='))), word.slice(word.indexOf('=') + 1)]);
}
