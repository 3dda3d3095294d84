import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

type Operations = Readonly<
  Record<string, { readonly method: string; readonly path: string; readonly output: unknown }>
>;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}
type Cut = readonly [node: Node, replacement: string];

/**
 * Keeps out of the browser's scripts what no page reads of the contracts: schemas, which are only a stand-in there
 * (src/api/schema-stand-in.ts), with whatever is called on them; and the table of operations, of which each page gets
 * the method and path of those that it calls.
 */
export function leanContracts(): Plugin[] {
  let operations: Operations = {};
  return [
    {
      name: 'read-operations',
      apply: 'build',
      async buildStart() {
        const table = fileURLToPath(new URL('../../shared/contracts/operations.ts', import.meta.url));
        ({ operations } = (await runnerImport<{ operations: Operations }>(table)).module);
      },
    },
    replacing('lean-schemas', /\/shared\/contracts\/(?:[\w-]+\/)?[\w-]+\.ts$/, schemasOf),
    replacing('lean-operations', /\/frontend\/src\/.*\.tsx?$/, (program) => calledIn(program, operations)),
  ];
}

function replacing(name: string, id: RegExp, find: (program: unknown) => readonly Cut[]): Plugin {
  return {
    name,
    apply: 'build',
    transform: {
      filter: { id },
      handler(code) {
        const cuts = find(this.parse(code)).toSorted(([a], [b]) => b.start - a.start);
        return {
          code: cuts.reduce((text, [{ start, end }, by]) => text.slice(0, start) + by + text.slice(end), code),
          map: null,
        };
      },
    },
  };
}

/** Every `operations.getJob`, to be what a request takes of it. */
function calledIn(node: unknown, operations: Operations): Cut[] {
  if (Array.isArray(node)) return node.flatMap((one) => calledIn(one, operations));
  if (!isNode(node) || node.type === 'ImportDeclaration') return [];
  const { object, property } = node;
  if (node.type === 'MemberExpression' && isNode(object) && object['name'] === 'operations' && isNode(property)) {
    const { method, path, output } = operations[String(property['name'])]!;
    return [[node, `(${JSON.stringify({ method, path, ...(output === null && { output }) })})`]];
  }
  if (node.type === 'Identifier' && node['name'] === 'operations') {
    throw new Error('Pages name the operation, as in operations.getJob: the table itself is not in the browser');
  }
  return Object.values(node).flatMap((one) => calledIn(one, operations));
}

function schemasIn(value: unknown): Cut[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  if (!isNode(value)) return [];
  if (value.type !== 'Identifier' && isOfZod(value)) return [[value, 'z']];
  return Object.values(value).flatMap(schemasIn);
}

/** The cuts of a module of contracts. Only where the stand-in is imported, since elsewhere `z` is nothing. */
function schemasOf(program: unknown): Cut[] {
  const cuts = schemasIn(program);
  if (cuts.length > 0 && !importsZod(program)) {
    throw new Error('A module of contracts makes a schema and does not import z from zod');
  }
  return cuts;
}

function importsZod(program: unknown): boolean {
  const body = isNode(program) && Array.isArray(program['body']) ? program['body'] : [];
  return body.some(({ source }: { readonly source?: { readonly value?: unknown } | null }) => source?.value === 'zod');
}

/** What makes a schema of one that has a name, which begins with a capital. */
const making = new Set([
  'default',
  'extend',
  'max',
  'min',
  'nullable',
  'omit',
  'optional',
  'partial',
  'pick',
  'refine',
  'transform',
]);

/** Whether a chain of calls and members starts at `z`, or at a schema with a name of its own. */
function isOfZod(node: Node): boolean {
  if (node.type === 'Identifier') return node['name'] === 'z';
  if (isMaking(node)) return true;
  const inner =
    node.type === 'CallExpression' ? node['callee'] : node.type === 'MemberExpression' ? node['object'] : null;
  return isNode(inner) && isOfZod(inner);
}

function isMaking({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false;
  const [of, by] = [callee['object'], callee['property']];
  const name = isNode(of) ? String(of['name']) : '';
  // `Math.max` makes none.
  return /^[A-Z][a-z]/.test(name) && !(name in globalThis) && isNode(by) && making.has(String(by['name']));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
