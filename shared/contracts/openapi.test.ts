import { Validator } from '@seriousme/openapi-schema-validator';
import { statusOf } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { examples } from './examples.ts';
import { openApiDocument } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

interface Described {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: object;
  }[];
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { required?: string[] } }>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly headers: object; readonly content?: object }>
  >;
}
const document = openApiDocument({ version: '1.2.3' });
const { paths } = document as { paths: Record<string, Record<string, Described>> };

describe('the OpenAPI document', () => {
  it('has every operation once', () => {
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(operations).sort());
  });

  it('says of lists what each place has in one way, which few programs read otherwise', () => {
    expect(JSON.stringify(document)).not.toContain('prefixItems');
  });

  it('names the parameters of addresses as paths need them', () => {
    expect(paths['/api/v1/submissions/{key}']!['get']!.parameters).toMatchObject([
      { name: 'key', in: 'path', required: true },
    ]);
    for (const [path, methods] of Object.entries(paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const { parameters } of Object.values(methods)) {
        expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(named);
      }
    }
  });

  it('says what is sent in an address, and what stands in for it', () => {
    const queryOf = (path: string) =>
      Object.fromEntries(paths[path]!['get']!.parameters.map(({ name, schema }) => [name, schema]));
    expect(queryOf('/jobs/{id}/similar')).toEqual({
      id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      threshold: { type: 'integer', minimum: 0, maximum: 400, default: 100 },
    });
    expect(queryOf('/jobs')).toMatchObject({ page: { default: 1 }, per: { enum: [20, 50, 100], default: 20 } });
  });

  it('says that numbers of files may be wider than those of rows', () => {
    const { content } = paths['/jobs/resubmit']!['post']!.requestBody!;
    for (const { schema } of Object.values(content)) {
      const file_id = { type: 'integer', format: 'int64', maximum: 16 ** 13 - 1 };
      expect(schema).toMatchObject({ properties: { file_id } });
    }
  });

  it('tells who may call, and with which scope', () => {
    expect(paths['/upload']!['post']!.security).toEqual([{}, { session: [] }, { token: ['job:submit'] }]);
    expect(paths['/admin/users']!['get']!.security).toEqual([{ session: [] }]);
  });

  it('describes uploads with their file, and other bodies as JSON and forms', () => {
    const upload = paths['/api/v1/jobs']!['post']!;
    expect(upload.requestBody!.content['multipart/form-data']!.schema.required).toEqual(['workflow_id', 'file']);
    expect(upload.requestBody!.content['application/json']!.schema.required).toEqual(['workflow_id', 'upload_id']);
    expect(Object.keys(paths['/api/uploads/{token}']!['put']!.requestBody!.content)).toEqual([
      'application/octet-stream',
    ]);
    expect(Object.keys(paths['/detect-preview']!['post']!.requestBody!.content)).toEqual(['multipart/form-data']);
    expect(upload.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    expect(Object.keys(paths['/auth/cookie/login']!['post']!.requestBody!.content)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
  });

  it('offers every write of fields alone as JSON and as both kinds of forms', () => {
    for (const [name, { body, file, raw, path, method }] of Object.entries<Operation>(operations)) {
      if (!body || file || raw) continue;
      const { content } = paths[path.replace('+}', '}')]![method.toLowerCase()]!.requestBody!;
      expect([name, ...Object.keys(content)]).toEqual([
        name,
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]);
      expect(content['multipart/form-data']).toEqual(content['application/x-www-form-urlencoded']);
    }
  });

  it('gathers refusals by status', () => {
    const { responses } = paths['/upload']!['post']!;
    expect(responses['400']!.description).toContain('one_file');
    for (const { responses: each } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      for (const [status, { headers }] of Object.entries(each)) {
        const waits = status === '429' || status === '503';
        expect(Object.keys(headers)).toEqual(['X-Request-ID', ...(waits ? ['Retry-After'] : [])]);
      }
    }
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['202', '200', '411', '413', '429', '507']));
    expect(Object.keys(paths['/admin/users/{id}/delete']!['post']!.responses)).toContain('204');
    expect(paths['/jobs']!['get']!.responses['404']!.description).toContain('not_found');
    expect(paths['/admin/users/{id}/delete']!['post']!.responses['204']!.content).toBeUndefined();
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('refers to nothing that it lacks, and names schemas once', () => {
    const text = JSON.stringify(document);
    const { components } = document as { components: Record<string, Record<string, object>> };
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      expect(components[kind!], `${kind}/${name}`).toHaveProperty(name!);
    }
    expect(Object.keys(components['schemas']!)).toEqual(
      expect.arrayContaining(['JobDetail', 'JobStates', 'Problem', 'SubmittedJob', 'User']),
    );
    expect(text).not.toContain('$defs');
  });

  it('has a problem with its codes for every refusal', () => {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const { responses } = paths[operation.path.replace('+}', '}')]![operation.method.toLowerCase()]!;
      for (const code of [...operation.errors, 'internal', 'bad_token'] as const) {
        const answer = responses[statusOf[code]]!;
        if (operation.success.includes(statusOf[code])) continue;
        expect(JSON.stringify(answer.content), `${name} ${code}`).toContain(`code":"${code}"`);
      }
    }
  });

  it('shows examples that the service would take and give', () => {
    for (const [name, { request, answer }] of Object.entries(examples)) {
      const { body, query, output }: Operation = operations[name as keyof typeof operations];
      if (request) expect([name, (body ?? query)?.safeParse(request).error]).toEqual([name, undefined]);
      if (answer) expect([name, output?.parse(answer)]).toEqual([name, answer]);
    }
  });
});
