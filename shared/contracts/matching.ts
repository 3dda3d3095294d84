import type { Operation } from './operation.ts';

type Addressable = Pick<Operation, 'alias' | 'method' | 'path'>;

export interface OperationMatch<O> {
  /** The operation at this method and path with its path parameters, decoded; null when there is none. */
  readonly found: { readonly operation: O; readonly params: Readonly<Record<string, string>> } | null;
  /** Operations at the same path by other methods. */
  readonly others: readonly O[];
}

/** Looks a request up in a list of operations; fixed paths win over ones with parameters, whatever the method. */
export function matchOperation<O extends Addressable>(
  operations: Iterable<O>,
  method: string,
  path: string,
): OperationMatch<O> {
  const segments = path.split('/');
  const matches = [...operations].flatMap((operation) => {
    const patterns = operation.alias === undefined ? [operation.path] : [operation.path, operation.alias];
    return patterns.flatMap((pattern) => {
      const params = paramsOf(pattern.split('/'), segments);
      return params === null ? [] : [{ operation, params }];
    });
  });
  const fewest = Math.min(...matches.map(parameters));
  const addressed = matches.filter((match) => parameters(match) === fewest);
  const found = addressed.find(({ operation }) => operation.method === method);
  const others = addressed.map(({ operation }) => operation).filter((operation) => operation.method !== method);
  return { found: found ?? null, others };
}

function parameters({ params }: { readonly params: object }): number {
  return Object.keys(params).length;
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  const rest = /^\{(\w+)\+\}$/.exec(pattern.at(-1) ?? '')?.[1];
  if (rest !== undefined) {
    const fixed = pattern.length - 1;
    const value = decoded(segments.slice(fixed).join('/'));
    const params =
      segments.length < pattern.length ? null : paramsOf(pattern.slice(0, fixed), segments.slice(0, fixed));
    return params === null || value === null || value === '' ? null : { ...params, [rest]: value };
  }
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name === undefined) {
      if (segment !== expected) return null;
      continue;
    }
    const value = decoded(segment);
    if (value === null || value === '') return null;
    params[name] = value;
  }
  return params;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
