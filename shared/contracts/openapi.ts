import { type ErrorCode, statusOf } from '@svc/domain';
import { z } from 'zod';
import { Problem } from './fields.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

type Json = Record<string, unknown>;

/** Refusals that need no mention in the table: any operation may answer with them. */
const common: readonly ErrorCode[] = ['bad_request', 'internal', 'unavailable'];

/** The OpenAPI 3.1 document of the service: a loop over the operation table. */
export function openApiDocument({ version }: { readonly version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = operation.path.replace('+}', '}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = describe(name, operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Log analysis service', version },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'svc_auth' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function describe(name: string, operation: Operation): Json {
  return {
    operationId: name,
    summary: operation.summary,
    tags: [operation.area],
    security: securityOf(operation),
    parameters: [
      ...parametersOf('path', operation.params),
      ...parametersOf('query', operation.query),
      ...(operation.idempotent
        ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', pattern: '^[!-~]{1,128}$' } }]
        : []),
    ],
    ...((operation.body || operation.file || operation.raw) && { requestBody: requestBodyOf(operation) }),
    responses: responsesOf(operation),
  };
}

/** Alternatives of which one is needed; the empty one is a visitor. */
function securityOf({ access, scope }: Operation): Json[] {
  return [...(access === 'anyone' ? [{}] : []), { session: [] }, ...(scope === undefined ? [] : [{ token: [scope] }])];
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Json;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBodyOf({ body, file, raw }: Operation): Json {
  if (raw) return { required: true, content: { 'application/octet-stream': { schema: binary } } };
  const fields: Fields = body ? schemaOf(body, 'input') : { type: 'object' };
  if (!file) return { required: true, content: fieldsContent(fields) };
  const { upload_id: uploadId, ...others } = fields.properties ?? {};
  const withFile = withRequired({ ...fields, properties: others }, { file: binary });
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: withFile },
      ...(uploadId !== undefined && fieldsContent(withRequired(fields, { upload_id: uploadId }))),
    },
  };
}

interface Fields extends Json {
  readonly properties?: Json;
  readonly required?: readonly string[];
}

const binary = { type: 'string', format: 'binary' };

function fieldsContent(schema: Json): Json {
  return { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } };
}

function withRequired(fields: Fields, more: Json): Fields {
  return {
    ...fields,
    properties: { ...fields.properties, ...more },
    required: [...(fields.required ?? []), ...Object.keys(more)],
  };
}

function responsesOf(operation: Operation): Json {
  const { output, success } = operation;
  const answer = output && { content: { 'application/json': { schema: schemaOf(output, 'output') } } };
  const refusals = new Map<number, string[]>();
  for (const code of refusalsOf(operation)) {
    refusals.set(statusOf[code], [...(refusals.get(statusOf[code]) ?? []), code]);
  }
  const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return {
    ...Object.fromEntries(success.map((status) => [status, { description: 'Done', ...answer }])),
    ...Object.fromEntries(
      [...refusals]
        .filter(([status]) => !success.includes(status))
        .map(([status, codes]) => [status, { description: codes.join(', '), content: problem }]),
    ),
  };
}

function refusalsOf({ access, body, errors, limit, method, params, query }: Operation): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...common,
    ...errors,
    'bad_token',
    'missing_scope',
    ...(params || isPaged(query) ? (['not_found'] as const) : []),
    ...(body ? (['too_large'] as const) : []),
    ...(limit ? (['rate_limited'] as const) : []),
    ...(method === 'GET' ? [] : (['csrf'] as const)),
    ...(access === 'anyone' ? [] : (['unauthenticated', 'forbidden'] as const)),
  ]);
}

/** A page beyond a million is none (resolved-platform, conventions). */
function isPaged(query: z.ZodType | undefined): boolean {
  return query instanceof z.ZodObject && 'page' in query.shape;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
