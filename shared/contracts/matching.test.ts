import { describe, expect, it } from 'vitest';
import { matchOperation } from './matching.ts';
import { operations } from './operations.ts';

const all = Object.values(operations);
const found = (method: string, path: string) => matchOperation(all, method, path).found;

describe('matchOperation', () => {
  it.each(Object.values(operations).map((operation) => [operation.method, operation.path, operation] as const))(
    'finds %s %s',
    (method, path, operation) => {
      expect(found(method, path.replace(/\{\w+\}/g, '7'))?.operation).toBe(operation);
    },
  );

  it('finds an operation at its other path as well', () => {
    for (const [method, operation] of [
      ['GET', operations.getAlertRule],
      ['POST', operations.changeAlertRule],
    ] as const) {
      expect(found(method, '/intel/rules/7/edit')).toEqual({ operation, params: { id: '7' } });
    }
  });

  it('decodes parameters', () => {
    expect(found('POST', '/api/ui/samples/first%20look')?.params).toEqual({ name: 'first look' });
  });

  it.each(['/jobs/', '/jobs//findings', '/api/ui/samples/%E0%A4%A', '/nowhere', '', '/JOBS'])(
    'finds nothing at %j',
    (path) => {
      expect(matchOperation(all, 'GET', path)).toEqual({ found: null, others: [] });
    },
  );

  it('names the operations at the same path by other methods', () => {
    const match = matchOperation(all, 'DELETE', '/api/v1/jobs');
    expect(match.found).toBeNull();
    expect(match.others.map(({ method }) => method).sort()).toEqual(['GET', 'POST']);
  });

  it('gives the rest of the path to a last parameter that takes it', () => {
    const key = { method: 'GET', path: '/a/{key+}' } as const;
    const paramsOf = (path: string) => matchOperation([key], 'GET', path).found?.params;
    expect(paramsOf('/a/b')).toEqual({ key: 'b' });
    expect(paramsOf('/a/b/c%2Fd')).toEqual({ key: 'b/c/d' });
    expect(['/a', '/a/', '/b/c', '/a/%'].map(paramsOf)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('prefers a fixed path', () => {
    const fixed = { method: 'GET', path: '/jobs/latest' } as const;
    const open = { method: 'GET', path: '/jobs/{id}' } as const;
    expect(matchOperation([open, fixed], 'GET', '/jobs/latest').found?.operation).toBe(fixed);
    expect(matchOperation([open, { ...fixed, method: 'POST' }], 'GET', '/jobs/latest').found).toBeNull();
  });
});
