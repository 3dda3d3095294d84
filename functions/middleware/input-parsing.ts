import type { Ports } from '@svc/application/ports/ports.ts';
import type { UploadLease } from '@svc/application/submissions/upload-lease.ts';
import { inputSentence, type Operation } from '@svc/contracts';
import { AppError, notFound } from '@svc/domain';
import { Readable } from 'node:stream';
import type { CallContext, HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';
import { bodyFields, bodyOf, declaredBytes, hasFields, isForm, ordinaryBodyBytes } from '../request-body.ts';

type Fields = Readonly<Record<string, unknown>>;
type Schema = NonNullable<Operation['body']>;

/**
 * Parses path parameters, query and body by the operation's schemas into the use case's input, and
 * only then reads a file. A parameter outside its range names nothing that exists: 404; other
 * mistakes are 400 and name the field.
 */
export function inputParsing({ objects }: Pick<Ports, 'objects'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      const operation = context.route?.operation;
      if (!operation) return;
      const addressed = { ...pathParams(operation, context), ...queryFields(operation, event) };
      const sent = await sentFields(objects, operation, event, context);
      const keyed = operation.idempotent ? { idempotency_key: event.headers['idempotency-key'] ?? null } : {};
      context.input = { ...addressed, ...sent, ...keyed };
    },
  };
}

function pathParams(operation: Operation, { params }: CallContext): Fields {
  const result = operation.params?.safeParse(params);
  if (result && (!result.success || hasNul(result.data))) throw notFound('address');
  return (result?.data ?? {}) as Fields;
}

function queryFields(operation: Operation, event: HttpEvent): Fields {
  if (!operation.query) return {};
  // A form that filters sends what is left blank, too.
  const query = Object.fromEntries(Object.entries(event.queryStringParameters ?? {}).filter(([, sent]) => sent !== ''));
  // Resolved-platform, conventions: such a page is no page, while the schema forgives other nonsense.
  if (Number(query['page']) > 1_000_000) throw notFound('page');
  return parsed(operation.query, query);
}

function sentFields(
  objects: Ports['objects'],
  operation: Operation,
  event: HttpEvent,
  context: CallContext,
): Fields | Promise<Fields> {
  if (operation.raw) return rawContent(event);
  return operation.file ? fileFields(objects, operation, event, context) : plainFields(operation, event);
}

async function plainFields(operation: Operation, event: HttpEvent): Promise<Fields> {
  if (!operation.body) return {};
  const schema = isForm(event) ? (operation.form ?? operation.body) : operation.body;
  return parsed(schema, await bodyFields(event, operation.bodyLimit ?? ordinaryBodyBytes));
}

async function fileFields(
  objects: Ports['objects'],
  operation: Operation,
  event: HttpEvent,
  context: CallContext,
): Promise<Fields> {
  const { form } = event.requestContext;
  if (operation.bodyLimit !== undefined) {
    if (!form) throw oneFile();
    const { fields, head } = await form.peek();
    return { ...(operation.body && parsed(operation.body, fields)), head };
  }
  const { fields, file } = form
    ? await form.store(leaseOf(context))
    : { fields: await uploadFields(event), file: null };
  try {
    if ((file === null) === (fields['upload_id'] === undefined)) throw oneFile();
    return { ...(operation.body && parsed(operation.body, fields)), file };
  } catch (error) {
    if (file) await objects.delete(file.key);
    throw error;
  }
}

/** Fields that come without a file, which was sent before. */
function uploadFields(event: HttpEvent): Promise<Fields> | Fields {
  return hasFields(event) ? bodyFields(event, ordinaryBodyBytes) : {};
}

/** Declared, as `declaredLength` has made sure; API Gateway hands over bodies whole. */
function rawContent(event: HttpEvent): Fields {
  const content = event.requestContext.content ?? Readable.from([bodyOf(event)]);
  return { content, declaredBytes: declaredBytes(event) };
}

function leaseOf({ lease }: CallContext): UploadLease {
  if (!lease) throw new Error('admission comes first');
  return lease;
}

function oneFile(): AppError {
  return new AppError('one_file', 'Send exactly one file, as the part “file” of multipart/form-data, or an upload_id');
}

function parsed(schema: Schema, fields: Fields): Fields {
  const result = schema.safeParse(fields, { error: inputSentence });
  if (result.success) return withoutNul(result.data as Fields);
  const sentences = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: there is no such field`;
    const [field] = issue.path;
    // Of all fields together.
    if (field === undefined) return issue.message;
    const name = String(field);
    return fields[name] === undefined ? `${name} is required` : `${name}: ${issue.message}`;
  });
  throw new AppError('bad_request', sentences.join('; '), { cause: result.error });
}

/** NUL is what PostgreSQL cannot hold, and what nobody writes who means well. */
function withoutNul(fields: Fields): Fields {
  const name = Object.keys(fields).find((each) => hasNul(fields[each]));
  if (name === undefined) return fields;
  throw new AppError('bad_request', `${name}: must not contain NUL characters`);
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}
