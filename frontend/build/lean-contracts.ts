import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}
type Cut = readonly [node: Node, replacement: string];

/**
 * Leaves out of the browser's operation table what no page reads: schemas, which are only a stand-in
 * there (src/api/schema-stand-in.ts), whatever is called on them, and summaries and refusals of operations.
 */
export function leanContracts(): Plugin {
  return {
    name: 'lean-contracts',
    apply: 'build',
    transform: {
      filter: { id: /\/shared\/contracts\/(?:[\w-]+\/)?[\w-]+\.ts$/ },
      handler(code) {
        const cuts = cutsIn(this.parse(code)).sort(([a], [b]) => b.start - a.start);
        const lean = cuts.reduce((text, [{ start, end }, by]) => text.slice(0, start) + by + text.slice(end), code);
        return { code: lean, map: null };
      },
    },
  };
}

function cutsIn(value: unknown): Cut[] {
  if (Array.isArray(value)) return value.flatMap(cutsIn);
  if (!isNode(value)) return [];
  if (value.type !== 'Identifier' && isOfZod(value)) return [[value, 'z']];
  const { key, value: assigned } = value;
  if (value.type === 'Property' && isNode(key) && isNode(assigned)) {
    if (key['name'] === 'summary' && assigned.type.endsWith('Literal')) return [[assigned, "''"]];
    if (key['name'] === 'errors' && assigned.type === 'ArrayExpression') return [[assigned, '[]']];
  }
  return Object.values(value).flatMap(cutsIn);
}

/** Whether a chain of calls and members starts at `z`. */
function isOfZod(node: Node): boolean {
  if (node.type === 'Identifier') return node['name'] === 'z';
  const inner =
    node.type === 'CallExpression' ? node['callee'] : node.type === 'MemberExpression' ? node['object'] : null;
  return isNode(inner) && isOfZod(inner);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
