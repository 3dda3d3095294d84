import { z } from 'zod';

const onePath = z.string().min(1).max(1024);

/** One task of a workflow definition (resolved-platform 2.2), as far as its keys are used. */
export const TaskDefinition = z.object({
  tool: z.string().min(1).max(100),
  /** Leave the task out, instead of showing it as skipped, where the engine is not enabled. */
  when_available: z.boolean().default(false),
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
