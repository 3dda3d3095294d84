import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { required?: string[] } }>> };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
}
const { paths } = openApiDocument({ version: '1.2.3' }) as { paths: Record<string, Record<string, Described>> };

describe('the OpenAPI document', () => {
  it('has every operation once', () => {
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(operations).sort());
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

  it('tells who may call, and with which scope', () => {
    expect(paths['/upload']!['post']!.security).toEqual([{}, { session: [] }, { token: ['job:submit'] }]);
    expect(paths['/admin/users']!['get']!.security).toEqual([{ session: [] }]);
  });

  it('describes uploads with their file, and other bodies as JSON and forms', () => {
    const upload = paths['/api/v1/jobs']!['post']!;
    expect(upload.requestBody!.content['multipart/form-data']!.schema.required).toEqual(['workflow_id', 'file']);
    expect(upload.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    expect(Object.keys(paths['/auth/cookie/login']!['post']!.requestBody!.content)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
  });

  it('gathers refusals by status', () => {
    const { responses } = paths['/upload']!['post']!;
    expect(responses['400']!.description).toContain('one_file');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['202', '200', '411', '413', '429', '507']));
    expect(Object.keys(paths['/admin/users/{id}/delete']!['post']!.responses)).toContain('204');
    expect(paths['/jobs']!['get']!.responses['404']!.description).toContain('not_found');
    expect(paths['/admin/users/{id}/delete']!['post']!.responses['204']!.content).toBeUndefined();
  });
});
