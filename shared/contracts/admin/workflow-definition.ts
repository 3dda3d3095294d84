import { builtInEngine, logTypes, severities, workflowLimits, type EngineProgram } from '@svc/domain';
import { z } from 'zod';

const line = z.string().trim().min(1).max(1024);
const packName = z.string().min(1).max(64);
const ruleId = z.string().toLowerCase().max(100);
const sourcePart = z.string().toLowerCase().max(100).optional();

/** One text, or several. */
const listOf = <T extends z.ZodType>(one: T, error: string) =>
  z.union([one.transform((only) => [only]), z.array(one)], { error }).default([]);
const texts = 'must be a text or a list of texts';

/** Seconds; clamped, and what is no number is the default (resolved-platform 2.2). */
const seconds = (none: number) =>
  z
    .union([z.number(), z.string()], { error: 'must be a whole number of seconds' })
    .default(none)
    .transform((given) => secondsOf(given, none));

/** What a number of seconds comes to. */
export function secondsOf(given: string | number, none: number): number {
  const said = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
  return Number.isInteger(said) ? Math.min(86_400, Math.max(1, said)) : none;
}

/** Which rules of its packs a task runs; a filter that is not named lets all pass. */
export const RuleFilters = z.strictObject({
  min_level: z.enum(severities).nullable().default(null),
  status: listOf(z.string().max(40), texts),
  log_source: listOf(
    z.strictObject({ product: sourcePart, category: sourcePart, service: sourcePart }),
    'must be product, category and service as texts, or a list of such',
  ),
  tags: listOf(z.string().max(100), texts),
  include: listOf(ruleId, texts),
  exclude: listOf(ruleId, texts),
});

/** Machines that a program can be for; `arm64` and `aarch64` are the same. */
const machine = /^(?:(?:x86_64|aarch64|arm64)-linux|(?:aarch64|arm64)-darwin)$/;
const waysToRun = ['tool_path', 'container_image', 'dockerfile'] as const;

/** One task of a workflow (resolved-platform 2.2). */
export const TaskDefinition = z
  .object({
    tool: z.string().trim().min(1).max(100),
    /** Leave the task out, instead of showing it as skipped, where the engine is not enabled. */
    when_available: z.boolean().default(false),
    /** Rule packs, for the built-in engine; `all` are those that are enabled. */
    packs: z
      .union(
        [
          z.literal('all').transform(() => null),
          packName.transform((pack) => [pack]),
          z.array(packName).min(1, 'must name a pack'),
        ],
        { error: 'must be all, the name of a pack, or a list of names' },
      )
      .default(null),
    filters: RuleFilters.prefault({}),
    /** The program itself, or one for each kind of machine. */
    tool_path: z
      .union(
        [
          line,
          z
            .record(z.string().regex(machine), line)
            .refine((paths) => Object.keys(paths).length > 0, 'must name a path'),
        ],
        {
          error: 'must be a path, or paths by x86_64-linux, aarch64-linux and aarch64-darwin',
        },
      )
      .optional(),
    container_image: line.optional(),
    dockerfile: line.optional(),
    build_context: line.optional(),
    build_tag: line.optional(),
    build_timeout: seconds(600),
    container_options: z
      .array(z.string().regex(/^[^:\s]+:[^:\s]+(?::[^:\s]+)?$/, 'must be source:target, or source:target:mode'))
      .default([]),
    /** Rule folders, for the other engines. */
    rules_path: z
      .union([line.transform((path) => [path]), z.array(line).min(1)], {
        error: 'must be a path or a list of paths that is not empty',
      })
      .default([]),
    timeout: seconds(300),
    threads: z.int().min(1).max(256).default(1),
    target: z.enum(['syslog', 'auditd']).optional(),
    /** Of the engine; those that several have are looked at. */
    options: z
      .looseObject({
        min_level: z.enum(severities).optional(),
        status: z.union([z.string(), z.array(z.string())], { error: texts }).optional(),
        config: line.optional(),
      })
      .default({}),
    extra_args: z.array(z.string().max(4096)).default([]),
    max_finding_details: z.int().min(1).max(10_000).optional(),
  })
  .superRefine((task, context) => {
    const ways = waysToRun.filter((way) => task[way] !== undefined);
    const [first, second] = ways;
    if (second !== undefined) {
      const message = `must not be there beside ${first}: a task has one way to run`;
      context.addIssue({ code: 'custom', path: [second], message });
    }
    if (first !== undefined && task.tool === builtInEngine) {
      const message = `must not be there: ${builtInEngine} comes with the service`;
      context.addIssue({ code: 'custom', path: [first], message });
    }
    if ((task.container_image ?? task.dockerfile) !== undefined && task.rules_path.length > 1) {
      context.addIssue({
        code: 'custom',
        path: ['rules_path'],
        message: 'must be one path for a container, not a list',
      });
    }
  });
export type TaskDefinition = z.output<typeof TaskDefinition>;

/** Where the engine of a task is, as far as the task says it. */
export function programOf(task: TaskDefinition): EngineProgram | null {
  const { tool_path: path, container_image: image, dockerfile } = task;
  if (path !== undefined) return { kind: 'path', path };
  if (image !== undefined) return { kind: 'image', image };
  if (dockerfile === undefined) return null;
  const { build_context: context = null, build_tag: tag = null, build_timeout: timeout } = task;
  return { kind: 'dockerfile', dockerfile, context, tag, timeout };
}

/** What a workflow's definition text holds. */
export const WorkflowDefinition = z.object({ tasks: z.array(TaskDefinition).min(1).max(workflowLimits.tasks) });
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>;

/** What a workflow says beside its tasks. */
export const WorkflowHead = z.object({
  name: z.string().trim().min(1).max(workflowLimits.name),
  description: z.string().trim().max(workflowLimits.description).default(''),
  /** Empty: every type. */
  log_types: z.array(z.enum(logTypes)).transform((types) => [...new Set(types)]),
});

/** A workflow as a document: how it ships in `config/workflows`, is exported and imported. */
export const WorkflowDocument = WorkflowHead.extend({
  is_default: z.boolean().default(false),
  enabled: z.boolean().default(true),
  ...WorkflowDefinition.shape,
});
