import { listMatches, listValues, ruleListLimits } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, PathId, Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const most = ruleListLimits;

/** A named set of values that `list:name` asks for. */
export const RuleList = z.object({
  id: Id,
  name: z.string(),
  match: z.enum(listMatches),
  description: z.string(),
  /** In their order; of lists of lists the first 20. */
  values: z.array(z.string()),
  count: z.number().int(),
  /** Names of the rules on entities that ask for it, of those that the caller may read. */
  used_by: z.array(z.string()),
  /** For administrators alone; null for none. */
  source_url: z.string().nullable().optional(),
  has_source: z.boolean(),
  refresh_hours: z.number().int(),
  last_fetched_at: Timestamp.nullable(),
  /** Null when it never was. */
  last_fetch_ok: z.boolean().nullable(),
  last_fetch_error: z.string().nullable(),
});
export type RuleList = z.output<typeof RuleList>;

const longest = `at most ${most.values.toLocaleString('en')} values of at most ${most.value} characters`;
/** Longer than all values together can be, with what may stand between them. */
const sentValues = z.union([z.string().max(1_000_000), z.array(z.string().max(1000)).max(10_000)], {
  error: 'must be values, as a list or with line breaks or commas between them',
});
const Values = sentValues
  .transform(listValues)
  .refine((values) => values.length > 0, 'must have at least one value')
  .refine((values) => values.length <= most.values && values.every(({ length }) => length <= most.value), longest);
const Description = z.string().trim().max(most.description, `at most ${most.description} characters`);
const SourceUrl = z
  .union([z.string().trim().max(most.url), z.null()], {
    error: `must be an address of at most ${most.url} characters, or nothing`,
  })
  .transform((url) => (url === '' ? null : url));
const RefreshHours = wholeNumber(0, most.refreshHours);

/** How a document is taken. */
const Import = z.object({
  /** As shared rules, by their keys; for administrators. */
  as_shared: Flag,
  dry_run: Flag,
});

/** What became of a document, or would. */
export const ImportedAlertRules = z.object({
  created: z.number().int(),
  /** Those that were there before, also where nothing of them changes. */
  updated: z.number().int(),
  lists_created: z.number().int(),
  lists_updated: z.number().int(),
  /** Of a document of shared rules, those that have no key. */
  as_own: z.number().int(),
  /** What of the document is not read. */
  warnings: z.array(z.string()),
  changes: z.array(
    z.object({
      kind: z.enum(['list', 'rule']),
      name: z.string(),
      is_shared: z.boolean(),
      change: z.enum(['created', 'updated', 'unchanged']),
    }),
  ),
});
export type ImportedAlertRules = z.output<typeof ImportedAlertRules>;

const ofAll = { area: 'alerts', access: 'member' } as const;
const ofAdmins = { area: 'alerts', access: 'admin' } as const;

/** Lists of values, and rules as a document (resolved-intel 12, 13). */
export const ruleListOperations = {
  listRuleLists: {
    ...ofAll,
    scope: 'intel:read',
    method: 'GET',
    path: '/intel/rules/lists',
    summary: 'The lists of values that searches and rules can ask for, each with its first 20',
    success: [200],
    output: z.object({ lists: z.array(RuleList) }),
    errors: [],
  },
  getRuleList: {
    ...ofAll,
    scope: 'intel:read',
    method: 'GET',
    path: '/intel/rules/lists/{id}',
    summary: 'A list with all of its values',
    params: PathId,
    success: [200],
    output: RuleList,
    errors: ['not_found'],
  },
  createRuleList: {
    ...ofAdmins,
    method: 'POST',
    path: '/intel/rules/lists',
    summary: 'Make a list of values',
    body: z.object({
      name: z
        .string()
        .trim()
        .regex(/^[a-z0-9_]{1,50}$/, `must be 1 to ${most.name} of a-z, 0-9 and _`),
      /** As in documents, the whole value where nothing is said. */
      match: z.enum(listMatches, 'must be exact, suffix or domain').default('exact'),
      description: Description.default(''),
      values: Values,
      source_url: SourceUrl.default(null),
      refresh_hours: RefreshHours.prefault(0),
    }),
    success: [201],
    output: RuleList,
    errors: ['conflict', 'bad_request'],
  },
  editRuleList: {
    ...ofAdmins,
    method: 'POST',
    path: '/intel/rules/lists/{id}/edit',
    summary: 'Change what the request says of a list; its name stays, since conditions say it',
    params: PathId,
    body: z.object({
      match: z.enum(listMatches, 'must be exact, suffix or domain').optional(),
      description: Description.optional(),
      values: Values.optional(),
      /** Empty for none, which also forgets how it was read. */
      source_url: SourceUrl.optional(),
      refresh_hours: RefreshHours.optional(),
    }),
    success: [200],
    output: RuleList,
    errors: ['not_found'],
  },
  refreshRuleList: {
    ...ofAdmins,
    method: 'POST',
    path: '/intel/rules/lists/{id}/refresh',
    summary: 'Read a list from its source now; where that fails, it keeps its values and says why',
    params: PathId,
    success: [200],
    output: RuleList,
    errors: ['not_found', 'conflict'],
  },
  deleteRuleList: {
    ...ofAdmins,
    method: 'POST',
    path: '/intel/rules/lists/{id}/delete',
    summary: 'Delete a list that no rule asks for',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found', 'list_in_use'],
  },
  exportAlertRules: {
    ...ofAll,
    scope: 'intel:rules',
    method: 'GET',
    path: '/intel/rules/export.yml',
    summary: 'One’s own alert rules as a document, for administrators with all lists and shared rules; without secrets',
    success: [200],
    output: null,
    bytes: 'text/yaml',
    errors: [],
  },
  importAlertRules: {
    ...ofAll,
    scope: 'intel:rules',
    method: 'POST',
    path: '/intel/rules/import',
    summary: 'Take the rules and lists of a document, all or none; or only say what would become of them',
    body: Import.extend({ yaml_text: z.string() }),
    form: Import.extend({ yaml_text: z.string().default(''), file: z.string().default('').meta({ format: 'binary' }) })
      .transform(({ file, yaml_text: text, ...how }) => ({ ...how, yaml_text: text || file }))
      .refine(({ yaml_text: text }) => text !== '', 'give the document as yaml_text, or as the part “file”'),
    success: [200],
    output: ImportedAlertRules,
    errors: ['invalid_rule', 'forbidden', 'too_large', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
