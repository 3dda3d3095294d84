import { packNamePattern, severities } from '@svc/domain';
import { z } from 'zod';
import { Id, ReadinessCheck, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

export const PackName = z
  .string()
  .regex(packNamePattern, 'must be a name of letters, digits, dots, dashes and underscores');
export const NamedPack = z.object({ name: PackName });

export const RulePackVersion = z.object({
  id: z.number().int(),
  version: z.string(),
  /** SHA-256 over its files. */
  digest: z.string(),
  /** Address or file that it came from; `shipped` for what comes with the service. */
  source: z.string(),
  licence: z.string().nullable(),
  /** Rules and correlations that can be used. */
  loaded: z.number().int(),
  rejected: z.number().int(),
  /** Left out because their own status says that they are no longer to be used. */
  retired: z.number().int(),
  warnings: z.number().int(),
  /** Date of its newest rule. */
  dated_at: z.string(),
  age_days: z.number().int(),
  imported_at: Timestamp,
});
export type RulePackVersion = z.output<typeof RulePackVersion>;

export const RulePack = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** Where its next version is looked for; null for nowhere. */
  url: z.string().nullable(),
  checked_at: Timestamp.nullable(),
  check_error: z.string().nullable(),
  /** Its newest rule is more than 180 days old. */
  is_stale: z.boolean(),
  in_force: RulePackVersion,
});
export type RulePack = z.output<typeof RulePack>;

/** A pack that logs are held against, as members see it: nothing of where it comes from. */
export const PackInForce = RulePackVersion.pick({
  version: true,
  licence: true,
  loaded: true,
  dated_at: true,
  age_days: true,
}).extend({ name: z.string(), is_stale: z.boolean() });
export type PackInForce = z.output<typeof PackInForce>;

export const RuleOverride = z.object({
  rule_id: z.string(),
  enabled: z.boolean(),
  level: z.enum(severities).nullable(),
});
export type RuleOverride = z.output<typeof RuleOverride>;

export const RuleRemark = z.object({ path: z.string(), line: z.number().int(), message: z.string() });
export type RuleRemark = z.output<typeof RuleRemark>;

/** Lists of a report are cut to so many entries. */
export const mostRemarks = 2000;

export const rulePackOperations = {
  listRulePacks: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs',
    summary: 'Rule packs with their versions in force, by name',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    success: [200],
    output: z.object({ packs: z.array(RulePack), readiness: z.array(ReadinessCheck) }),
    errors: [],
  },
  getOfferedPack: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/offered-rule-pack',
    summary: 'The release of SigmaHQ that could be imported, where none is here; asks its host for the name',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    success: [200],
    output: z.object({
      /** Null where its rules are here already. */
      offer: z
        .object({
          name: PackName,
          /** What the newest release is called; null where its host was not reached. */
          release: z.string().nullable(),
          licence: z.string(),
          /** For `importRulePack`. */
          url: z.string(),
          /** Why its host was not reached. */
          reason: z.string().nullable(),
        })
        .nullable(),
    }),
    errors: [],
  },
  listPacksInForce: {
    area: 'rules',
    method: 'GET',
    path: '/api/ui/rule-packs',
    summary: 'The rule packs that logs are held against, by name',
    access: 'member',
    success: [200],
    output: z.object({ packs: z.array(PackInForce) }),
    errors: [],
  },
  importRulePack: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs',
    summary: 'Take a rule pack, from an upload or from its address, and put it in force; all of it or nothing',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    body: z
      .object({
        /** A zip archive or gzipped tar that was sent to a reserved upload. */
        upload_id: z.string().max(64).optional(),
        /** Where the pack is; looked at again for newer versions. */
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
          .max(2000)
          .optional(),
        /** @default what the pack says, or the file is called */
        name: PackName.optional(),
        /** @default what the pack says, or the date of its newest rule */
        version: z.string().trim().min(1).max(100).optional(),
      })
      .refine(
        ({ upload_id, url }) => (upload_id === undefined) !== (url === undefined),
        'give one of upload_id and url',
      ),
    success: [201, 200],
    output: z.object({
      pack: RulePack,
      /** False when just this was in force already. */
      changed: z.boolean(),
    }),
    errors: ['pack_refused', 'no_upload', 'upload_incomplete', 'low_space'],
  },
  getRulePack: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs/{name}',
    summary: 'A rule pack, the versions of it that are kept, and what was decided about its rules',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    success: [200],
    output: RulePack.extend({ versions: z.array(RulePackVersion), overrides: z.array(RuleOverride) }),
    errors: ['not_found'],
  },
  getRulePackReport: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/rule-packs/{name}/report',
    summary: 'What became of the rules of a pack’s version in force: rejected, retired, and warnings, with their lines',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    success: [200],
    output: z.object({
      version: z.string(),
      rejected: z.array(RuleRemark),
      retired: z.array(RuleRemark),
      warnings: z.array(RuleRemark),
    }),
    errors: ['not_found'],
  },
  changeRulePack: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs/{name}',
    summary: 'Switch a rule pack on or off, or go back to a version of it that is kept',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    body: z.object({
      enabled: Switch.optional(),
      version_id: Id.optional(),
    }),
    success: [200],
    output: RulePack,
    errors: ['not_found'],
  },
  deleteRulePack: {
    area: 'rules',
    method: 'POST',
    path: '/api/v1/rule-packs/{name}/delete',
    summary: 'Remove a rule pack and what was decided about its rules; the core pack can only be switched off',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    params: NamedPack,
    success: [204],
    output: null,
    errors: ['not_found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
