import { z } from 'zod';
import * as contracts from './index.ts';

export type Json = Record<string, unknown>;

/** Schemas of answers under the names that they have in the code, for clients to be generated from. */
const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(contracts)) {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodEnum) names.add(schema, { id });
}

/** JSON schema of what is sent to the service, before defaults are filled in. */
export function inputSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: plain });
  return rest;
}

/** JSON schema of an answer. What it has by name is added to `components` and referred to. */
export function outputSchema(schema: z.ZodType, components: Json): Json {
  const options = { io: 'output', unrepresentable: 'any', override: plain, metadata: names } as const;
  const text = JSON.stringify(z.toJSONSchema(schema, options)).replaceAll('#/$defs/', '#/components/schemas/');
  const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as Json & { $defs?: Json };
  Object.assign(components, $defs);
  return rest;
}

/** Leaves out what says no more than the type does, and says in the usual way what few programs can read. */
function plain({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [first, ...others] = jsonSchema.prefixItems ?? [];
  if (first !== undefined && others.every((one) => JSON.stringify(one) === JSON.stringify(first))) {
    delete jsonSchema.prefixItems;
    Object.assign(jsonSchema, { items: first, minItems: others.length + 1, maxItems: others.length + 1 });
  }
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
