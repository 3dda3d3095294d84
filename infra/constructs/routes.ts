import { operations, type Area, type Operation } from '@svc/contracts';

/** A route of the HTTP API: requests of this key go to the area's function. */
export interface ApiRoute {
  readonly method: Operation['method'] | 'ANY';
  readonly path: string;
  readonly area: Area;
}

/** All below these is one area's, so that one route has it: a stack has room for 500 things. */
const wholes = [
  '/admin/ai',
  '/admin/engines',
  '/admin/workflows',
  '/intel/cases/{id}/ai-analysis',
  '/intel/rules',
  '/jobs/{id}/ai-analysis',
];

function folded(path: string): string {
  const whole = wholes.find((one) => path.startsWith(`${one}/`));
  return whole === undefined ? path : `${whole}/{rest+}`;
}

/**
 * The routes for a table of operations. Where one area has a whole path, its function answers every method
 * there, HEAD and wrong ones among them, as behind the gateway; a route per method beside it is needed only
 * where areas share a path. That keeps what will be hundreds of operations below API Gateway's 300 routes.
 */
export function routesOf(table: readonly Operation[] = Object.values(operations)): ApiRoute[] {
  const byShape = new Map<string, Operation[]>();
  const aliases = table.flatMap((one) => (one.alias === undefined ? [] : [{ ...one, path: one.alias }]));
  for (const one of [...table, ...aliases]) {
    const operation = { ...one, path: folded(one.path) };
    const shape = operation.path.replaceAll(/\{\w+/g, '{');
    byShape.set(shape, [...(byShape.get(shape) ?? []), operation]);
  }
  return [...byShape.values()].flatMap((here) => {
    const rest = here.find(({ method }) => method === 'GET') ?? here[0]!;
    const others = here.filter(({ area }) => area !== rest.area);
    // Without a last slash, as the edge asks (edge/viewer-request.ts).
    const path = rest.path.replace(/\/$/, '');
    return [
      ...others.map(({ method, area }) => ({ method, path, area })),
      { method: 'ANY' as const, path, area: rest.area },
    ];
  });
}
