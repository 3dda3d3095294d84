import { aiKinds, aiLimits, trimmedBaseUrl } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, PathId, Switch, Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

const most = aiLimits;

/** A provider as administrators see it: whether it has a token, and never which. */
export const AiProvider = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(aiKinds),
  base_url: z.string(),
  model: z.string(),
  has_token: z.boolean(),
  /** Null for the product's own. */
  system_prompt: z.string().nullable(),
  case_system_prompt: z.string().nullable(),
  temperature: z.number(),
  max_output_tokens: z.number().int(),
  /** Null for the site's. */
  job_max_prompt_chars: z.number().int().nullable(),
  case_max_prompt_chars: z.number().int().nullable(),
  timeout_seconds: z.number().int(),
  /** Null for what its host says: on unless that is of the own network. */
  pseudonyms: z.boolean().nullable(),
  enabled: z.boolean(),
  is_default: z.boolean(),
  notes: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type AiProvider = z.output<typeof AiProvider>;

const text = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `at most ${longest.toLocaleString('en')} characters`);
const needed = (longest: number) => text(longest).min(1, 'must not be empty');
/** Empty for none. */
const orNull = (longest: number) =>
  z
    .union([text(longest), z.null()], {
      error: `must be text of at most ${longest.toLocaleString('en')} characters, or nothing`,
    })
    .transform((value) => value || null);
const countOrNull = z.union([z.literal('').transform(() => null), z.null(), wholeNumber(1, most.prompt)], {
  error: `must be a whole number from 1 to ${most.prompt}, or nothing`,
});
/** A form's own words for what a switch of three cannot say. */
const Pseudonyms = z.union([z.enum(['', 'auto']).transform(() => null), z.null(), Switch], {
  error: 'must be true, false, or nothing',
});

const fields = {
  name: needed(most.name),
  kind: z.enum(aiKinds),
  base_url: needed(most.baseUrl).transform(trimmedBaseUrl),
  model: needed(most.model),
  temperature: z.coerce.number().min(0).max(2),
  max_output_tokens: wholeNumber(1, most.maxOutputTokens),
  job_max_prompt_chars: countOrNull,
  case_max_prompt_chars: countOrNull,
  timeout_seconds: wholeNumber(1, most.longestTimeout),
  system_prompt: orNull(most.systemPrompt),
  case_system_prompt: orNull(most.systemPrompt),
  pseudonyms: Pseudonyms,
  notes: text(most.notes),
} as const;

const common = { area: 'ai', access: 'admin' } as const;
const one = { ...common, method: 'POST', params: PathId } as const;

/** Where models are asked (resolved-platform 18.1). */
export const aiProviderOperations = {
  listAiProviders: {
    ...common,
    method: 'GET',
    path: '/admin/ai',
    summary: 'AI providers by name, and what is used where one leaves something open',
    success: [200],
    output: z.object({
      providers: z.array(AiProvider),
      /** What stands for a provider's own where it has none. */
      defaults: z.object({ system_prompt: z.string(), case_system_prompt: z.string(), max_prompt_chars: z.number() }),
      /** Whether runs can be started; the setting is on the page of settings. */
      feature_on: z.boolean(),
    }),
    errors: [],
  },
  createAiProvider: {
    ...common,
    method: 'POST',
    path: '/admin/ai',
    summary: 'Add an AI provider; its token is never shown again',
    confirmed: true,
    body: z.object({
      ...fields,
      api_token: text(most.token).default(''),
      temperature: fields.temperature.default(0.2),
      max_output_tokens: fields.max_output_tokens.default(20_000),
      job_max_prompt_chars: fields.job_max_prompt_chars.default(null),
      case_max_prompt_chars: fields.case_max_prompt_chars.default(null),
      timeout_seconds: fields.timeout_seconds.default(300),
      system_prompt: fields.system_prompt.default(null),
      case_system_prompt: fields.case_system_prompt.default(null),
      pseudonyms: fields.pseudonyms.default(null),
      notes: fields.notes.default(''),
      enabled: Switch.default(true),
      is_default: Flag,
    }),
    success: [201],
    output: AiProvider,
    errors: ['conflict'],
  },
  changeAiProvider: {
    ...one,
    path: '/admin/ai/{id}',
    summary: 'Change of an AI provider what the request names; an empty token leaves the one that it has',
    confirmed: true,
    body: z.object({ ...fields, api_token: text(most.token) }).partial(),
    success: [200],
    output: AiProvider,
    errors: ['not_found', 'conflict'],
  },
  toggleAiProvider: {
    ...one,
    path: '/admin/ai/{id}/toggle',
    summary: 'Switch an AI provider on, or off: then no run is started with it',
    success: [200],
    output: AiProvider,
    errors: ['not_found'],
  },
  setDefaultAiProvider: {
    ...one,
    path: '/admin/ai/{id}/default',
    summary: 'Have this AI provider chosen where nobody says which',
    success: [200],
    output: AiProvider,
    errors: ['not_found'],
  },
  clearAiProviderToken: {
    ...one,
    path: '/admin/ai/{id}/clear-token',
    summary: 'Forget the token of an AI provider',
    confirmed: true,
    success: [200],
    output: AiProvider,
    errors: ['not_found'],
  },
  duplicateAiProvider: {
    ...one,
    path: '/admin/ai/{id}/duplicate',
    summary: 'Copy an AI provider with its token; the copy is never the default',
    confirmed: true,
    success: [201],
    output: AiProvider,
    errors: ['not_found', 'conflict'],
  },
  deleteAiProvider: {
    ...one,
    path: '/admin/ai/{id}/delete',
    summary: 'Delete an AI provider; its runs stay',
    confirmed: true,
    success: [200],
    output: AiProvider.pick({ id: true, name: true }),
    errors: ['not_found'],
  },
  testAiProvider: {
    ...one,
    path: '/admin/ai/{id}/test',
    summary: 'Have an AI provider say one word',
    success: [200],
    output: z.object({
      ok: z.boolean(),
      latency_ms: z.number().int(),
      text: z.string().optional(),
      error: z.string().optional(),
    }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
