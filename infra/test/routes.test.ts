import { matchOperation, operations, type Operation } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { routesOf, type ApiRoute } from '../constructs/routes.ts';

const table: readonly Operation[] = Object.values(operations);

/** The area that API Gateway picks of what the edge asks it: a full match of path and method, then of the path, then a greedy one, then the rest. */
function pickedBy(routes: readonly ApiRoute[], method: string, path: string): string {
  const fits = (route: ApiRoute): boolean => route.method === 'ANY' || route.method === method;
  const asked = path.startsWith('/taxii2/') ? path.replace(/\/$/, '') : path;
  const matching = routes.filter((route) => fits(route) && patternOf(route.path).test(asked));
  const rank = (route: ApiRoute): number =>
    (route.path.includes('+}') ? 1000 : 0) +
    10 * (route.path.match(/\{/g)?.length ?? 0) +
    (route.method === 'ANY' ? 1 : 0);
  return matching.sort((a, b) => rank(a) - rank(b))[0]?.area ?? 'system';
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\+\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The area that the gateway asks. */
function askedByGateway(method: string, path: string): string {
  const { found, others } = matchOperation(table, method === 'HEAD' ? 'GET' : method, path);
  return (found?.operation ?? others[0])?.area ?? 'system';
}

const example = (path: string): string => path.replaceAll(/\{\w+\+\}/g, 'a/b').replaceAll(/\{\w+\}/g, '7');
const paths = [
  ...new Set(table.flatMap(({ path, alias = path }) => [path, alias]).map(example)),
  '/',
  '/nothing',
  '/jobs/7/nothing',
  '/api/v1',
  '/jobs/',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const routes = routesOf();

describe('the routes of the HTTP API', () => {
  it.each(Object.entries(operations))('lead %s to its area', (_, { method, path, area }: Operation) => {
    expect(pickedBy(routes, method, example(path))).toBe(area);
  });

  it.each(paths)('ask whom the gateway asks at %s, by whatever method', (path) => {
    const picked = methods.map((method) => [method, pickedBy(routes, method, path)]);
    expect(picked).toEqual(methods.map((method) => [method, askedByGateway(method, path)]));
  });

  it('stay within what one HTTP API may have', () => {
    expect(routes.length).toBeLessThan(300);
  });

  it('part the methods of a path between areas that share it', () => {
    const { suggestTags, listJobs } = operations;
    const shared = [
      { ...listJobs, path: '/shared/{id}' },
      { ...suggestTags, method: 'POST' as const, path: '/shared/{name}' },
    ];
    const parted = routesOf(shared);
    const by = ['GET', 'HEAD', 'POST', 'PUT'].map((method) => pickedBy(parted, method, '/shared/7'));
    expect(by).toEqual(['jobs', 'jobs', 'tags', 'jobs']);
    expect(new Set(parted.map(({ path }) => path)).size).toBe(1);
  });
});
