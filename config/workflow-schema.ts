import { z } from 'zod';

const onePack = z.string().min(1).max(64);
const onePath = z.string().min(1).max(1024);

const listOf = <T extends z.ZodType>(one: T) => z.union([one.transform((only) => [only]), z.array(one)]).default([]);
const ruleId = z.string().toLowerCase().max(100);

/** Which rules of its packs a task runs; a filter that is not named lets all pass. */
export const RuleFilters = z.strictObject({
  min_level: z.enum(['critical', 'high', 'medium', 'low', 'informational']).nullable().default(null),
  status: listOf(z.string().max(40)),
  log_source: listOf(
    z.strictObject({
      product: z.string().toLowerCase().optional(),
      category: z.string().toLowerCase().optional(),
      service: z.string().toLowerCase().optional(),
    }),
  ),
  tags: listOf(z.string().max(100)),
  include: listOf(ruleId),
  exclude: listOf(ruleId),
});

/** One task of a workflow definition (resolved-platform 2.2), as far as its keys are used. */
export const TaskDefinition = z.object({
  tool: z.string().min(1).max(100),
  /** Leave the task out, instead of showing it as skipped, where the engine is not enabled. */
  when_available: z.boolean().default(false),
  /** Rule packs, for the built-in engine; `all` are those that are enabled. */
  packs: z
    .union([z.literal('all').transform(() => null), onePack.transform((pack) => [pack]), z.array(onePack).min(1)])
    .default(null),
  filters: RuleFilters.prefault({}),
  /** Rule folders, for the other engines. */
  rules_path: z.union([onePath.transform((path) => [path]), z.array(onePath).min(1)]).default([]),
  /** Seconds; clamped, and 300 when it is no number. */
  timeout: z.coerce
    .number()
    .int()
    .catch(300)
    .default(300)
    .transform((seconds) => Math.min(86_400, Math.max(1, seconds))),
  max_finding_details: z.number().int().min(1).optional(),
});
export type TaskDefinition = z.output<typeof TaskDefinition>;

/** What a workflow's definition text holds. */
export const WorkflowDefinition = z.object({ tasks: z.array(TaskDefinition) });
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>;

/** A workflow file as it ships in `config/workflows`. */
export const WorkflowFile = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().default(''),
  /** Empty: every type. */
  log_types: z.array(z.string()),
  is_default: z.boolean().default(false),
  /** Kept as written; {@link WorkflowDefinition} reads it. */
  tasks: z.array(z.record(z.string(), z.unknown())),
});
