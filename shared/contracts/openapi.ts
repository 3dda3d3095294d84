import { type ErrorCode, scopes, statusOf, taxiiType } from '@svc/domain';
import { z } from 'zod';
import { examples } from './examples.ts';
import { TaxiiError } from './feeds/taxii.ts';
import { Problem } from './fields.ts';
import { inputSchema, type Json, outputSchema } from './openapi-schemas.ts';
import type { Area, Operation, RateLimit } from './operation.ts';
import { type OperationName, operations } from './operations.ts';
import { meaningOf } from './refusals.ts';

/** Refusals that need no mention in the table: any operation may answer with them. */
const common: readonly ErrorCode[] = ['bad_request', 'internal', 'unavailable'];

const limitOf: Readonly<Record<RateLimit, string>> = {
  api: 'API_TOKEN_RATE_LIMIT_PER_MINUTE, by API token, else by address',
  comment: 'COMMENT_RATE_LIMIT_PER_MINUTE, by account',
  login: 'LOGIN_RATE_LIMIT_PER_MINUTE, by address',
  preview: 'PREVIEW_RATE_LIMIT_PER_MINUTE, by address',
  resubmit: 'RESUBMIT_RATE_LIMIT_PER_MINUTE, by address',
  slot: 'UPLOAD_RATE_LIMIT_PER_MINUTE by address, AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE by account',
  token: 'API_TOKEN_RATE_LIMIT_PER_MINUTE, by API token; none for sessions',
  upload: 'UPLOAD_RATE_LIMIT_PER_MINUTE by address, AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE by account',
};

const tags: Readonly<Record<Area, string>> = {
  submissions: 'Submit files for analysis, and learn what became of them',
  jobs: 'Jobs: the list, their progress and their end',
  report: 'What a job has found, and its files',
  cases: 'Investigations that jobs are grouped in, for members',
  discussions: 'Comments, watched jobs and notifications',
  intel: 'What logs name, over all jobs, for members',
  alerts: 'Alert rules on entities and jobs, lists of values, alerts, and what was told to webhooks',
  ai: 'What language models write about jobs and cases, and their providers',
  feeds: 'What is known, for other programs',
  tags: 'The vocabulary of tags, for members',
  rules: 'Rule packs, for administrators',
  auth: 'Sessions and one’s own account',
  admin: 'Accounts, API tokens and tasks, for administrators',
  system: 'The service itself',
};

const introduction = `Submit log files, and read what Sigma rules found in them.

Programs call as an account with an API token (\`Authorization: Bearer svc_…\`), browsers with the session cookie. A write with the cookie must also carry \`Origin\` or \`Referer\` of this host. A bearer token is decided on alone, whatever cookie comes with it.

Every answer carries \`X-Request-ID\`. A failed request answers with a problem: clients go by its \`code\`, people read its \`detail\`. Limits are per minute, counted from the first request of it.`;

/** The OpenAPI 3.1 document of the service: a loop over the operation table. */
export function openApiDocument({ version }: { readonly version: string }): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  for (const refusal of [Problem, TaxiiError]) outputSchema(refusal, schemas);
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = operation.path.replace('+}', '}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = describe(name as OperationName, operation, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Log analysis service',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      headers: {
        RequestId: {
          description: 'Id of the request: the caller’s own if it was harmless',
          schema: { type: 'string' },
        },
        RetryAfter: { description: 'Seconds after which to try again', schema: { type: 'integer' } },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc_auth',
          description: 'Session of 24 hours, from `POST /auth/cookie/login`; ended by a change of password',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `API token, which acts as its creator within its scopes: ${scopes.join(', ')}`,
        },
      },
    },
  };
}

function describe(name: OperationName, operation: Operation, schemas: Json): Json {
  return {
    operationId: name,
    summary: operation.summary,
    description: whoMay(operation),
    tags: [operation.area],
    security: securityOf(operation),
    parameters: [
      ...parametersOf('path', operation.params),
      ...parametersOf('query', operation.query, examples[name]?.request),
      ...(operation.idempotent ? [idempotencyKey] : []),
    ],
    ...((operation.body || operation.file || operation.raw) && {
      requestBody: requestBodyOf(operation, examples[name]?.request),
    }),
    responses: responsesOf(operation, examples[name]?.answer, schemas),
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes a retry safe: the same key with the same file and options names the job of the first attempt',
  schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
};

function whoMay({ access, limit, scope, taxii }: Operation): string {
  if (taxii)
    return `For API tokens with the scope \`${scope}\` alone, where TAXII_ENABLED is set. Limited by ${limitOf.api}.`;
  const role = access === 'anyone' ? 'For anyone, visitors included' : `For accounts with the role ${access} or above`;
  const token = scope === undefined ? 'not for API tokens' : `for API tokens with the scope \`${scope}\``;
  return `${role}; ${token}.${limit ? ` Limited by ${limitOf[limit]}.` : ''}`;
}

/** Alternatives of which one is needed; the empty one is a visitor. */
function securityOf({ access, scope, taxii }: Operation): Json[] {
  if (taxii) return [{ token: [scope] }];
  return [...(access === 'anyone' ? [{}] : []), { session: [] }, ...(scope === undefined ? [] : [{ token: [scope] }])];
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined, example: Json = {}): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputSchema(schema) as Fields;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(example[name] !== undefined && { example: example[name] }),
  }));
}

function requestBodyOf({ body, form, file, raw }: Operation, example?: Json): Json {
  if (raw) return { required: true, content: { 'application/octet-stream': { schema: binary } } };
  const fields: Fields = body ? inputSchema(body) : { type: 'object' };
  if (!file) return { required: true, content: fieldsContent(fields, example, form && inputSchema(form)) };
  const { upload_id: uploadId, ...others } = fields.properties ?? {};
  const withFile = withRequired({ ...fields, properties: others }, { file: binary });
  return {
    required: true,
    content: {
      ...(uploadId !== undefined &&
        fieldsContent(
          withRequired(fields, { upload_id: uploadId }),
          example && { upload_id: '01K3ZJ5V8Q4N7T2B6W9XDMRGFC', ...example },
        )),
      'multipart/form-data': { schema: withFile },
    },
  };
}

interface Fields extends Json {
  readonly properties?: Json;
  readonly required?: readonly string[];
}

const binary = { type: 'string', format: 'binary' };

function fieldsContent(schema: Json, example?: Json, form = schema): Json {
  const json = { schema, ...(example && { example }) };
  return {
    'application/json': json,
    'application/x-www-form-urlencoded': { schema: form },
    'multipart/form-data': { schema: form },
  };
}

function withRequired(fields: Fields, more: Json): Fields {
  return {
    ...fields,
    properties: { ...fields.properties, ...more },
    required: [...(fields.required ?? []), ...Object.keys(more)],
  };
}

const successes: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the analysis goes on in the background',
  204: 'Done; there is nothing to say',
  302: 'Found at the address that `Location` names',
  503: 'Something does not work',
};

function responsesOf(operation: Operation, example: unknown, schemas: Json): Json {
  const { output, bytes, success } = operation;
  const schema = output && outputSchema(output, schemas);
  const codes = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(operation)) codes.set(statusOf[code], [...(codes.get(statusOf[code]) ?? []), code]);
  const isRepeatable = success[0] > 200 && success.includes(200);
  return {
    ...Object.fromEntries(
      success.map((status) => [
        status,
        {
          description:
            status === 200 && isRepeatable ? 'Nothing new: this is what there was already' : successes[status],
          headers: headersOf(status),
          ...(bytes !== undefined && {
            content: Object.fromEntries([bytes, ...(operation.orBytes ?? [])].map(ofBytes)),
          }),
          ...(schema && {
            content: {
              [operation.taxii ? taxiiType : 'application/json']: {
                schema,
                ...(example !== undefined && status === success[0] && { example }),
              },
            },
          }),
        },
      ]),
    ),
    ...Object.fromEntries(
      [...codes]
        .filter(([status]) => !success.includes(status))
        .map(([status, refusals]) => [status, (operation.taxii ? taxiiErrorOf : problemOf)(status, refusals)]),
    ),
  };
}

/** A refusal with the codes it may carry here, and an example of each. */
function problemOf(status: number, codes: readonly ErrorCode[]): Json {
  return refusalWith(status, codes, 'Problem', (code) => ({ detail: meaningOf[code], code, request_id: requestId }));
}

/** The same as TAXII writes it. */
function taxiiErrorOf(status: number, codes: readonly ErrorCode[]): Json {
  return refusalWith(status, codes, 'TaxiiError', (code) => ({
    title: code,
    description: meaningOf[code],
    error_id: requestId,
    error_code: code,
    http_status: String(status),
    detail: meaningOf[code],
  }));
}

const requestId = '5b1f6c1e-6a0b-4d0e-9a52-0f0a8f4f5f7d';

function refusalWith(
  status: number,
  codes: readonly ErrorCode[],
  schema: 'Problem' | 'TaxiiError',
  exampleOf: (code: ErrorCode) => Json,
): Json {
  const [type, field] = schema === 'Problem' ? ['application/json', 'code'] : [taxiiType, 'error_code'];
  const known = { properties: { [field]: { enum: codes } } };
  return {
    description: codes.map((code) => `- \`${code}\`: ${meaningOf[code]}`).join('\n'),
    headers: headersOf(status),
    content: {
      [type]: {
        schema: { allOf: [{ $ref: `#/components/schemas/${schema}` }, known] },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])) as Json,
      },
    },
  };
}

function headersOf(status: number): Json {
  return {
    'X-Request-ID': { $ref: '#/components/headers/RequestId' },
    ...((status === 429 || status === 503) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
  };
}

function refusalsOf({
  access,
  body,
  confirmed,
  errors,
  heavy,
  idempotent,
  limit,
  method,
  params,
  query,
}: Operation): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...common,
    ...errors,
    'bad_token',
    'missing_scope',
    ...(params || isPaged(query) ? (['not_found'] as const) : []),
    ...(body ? (['too_large'] as const) : []),
    ...(limit ? (['rate_limited'] as const) : []),
    ...(confirmed ? (['confirm_password'] as const) : []),
    ...(heavy ? (['busy'] as const) : []),
    ...(method === 'GET' ? [] : (['csrf'] as const)),
    // A key belongs to an account.
    ...(idempotent ? (['unauthenticated'] as const) : []),
    ...(access === 'anyone' ? [] : (['unauthenticated', 'forbidden'] as const)),
  ]);
}

/** A page beyond a million is none (resolved-platform, conventions). */
function isPaged(query: z.ZodType | undefined): boolean {
  return query instanceof z.ZodObject && 'page' in query.shape;
}

/** Of JSON and YAML that are none of ours, such as a bundle, no more is said than that. */
function ofBytes(type: string): [string, Json] {
  return [type, { schema: /\b(json|yaml)\b/.test(type) ? {} : { type: 'string', format: 'binary' } }];
}
