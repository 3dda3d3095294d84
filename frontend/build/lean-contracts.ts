import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}
type Cut = readonly [node: Node, replacement: string];

/** Of an operation, what only the service reads: the pages call it by method and path, and know what answers with nothing. */
const ofService = new Set([
  'access',
  'area',
  'body',
  'confirmed',
  'errors',
  'heavy',
  'limit',
  'params',
  'query',
  'scope',
  'success',
  'summary',
]);

/**
 * Leaves out of the browser's operation table what no page reads: what operations tell the service, and schemas,
 * which are only a stand-in there (src/api/schema-stand-in.ts), with whatever is called on them.
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
  if (value.type === 'ObjectExpression') return cutsInObject(value['properties'] as Node[]);
  return Object.values(value).flatMap(cutsIn);
}

function cutsInObject(properties: readonly Node[]): Cut[] {
  const names = properties.map((property) => (isNode(property['key']) ? property['key']['name'] : undefined));
  // What several say alike may stand apart, to be spread into each.
  const isOperation = names.includes('method')
    ? names.includes('path') || names.includes('access')
    : names.includes('summary');
  return properties.flatMap((property, place): Cut[] => {
    const value = property['value'];
    const isOutput = isOperation && names[place] === 'output' && isNode(value) && value.type !== 'Literal';
    if (!isOutput && !(isOperation && ofService.has(String(names[place])))) return cutsIn(property);
    return [[{ ...property, end: properties[place + 1]?.start ?? property.end }, '']];
  });
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
  return isNode(of) && /^[A-Z][a-z]/.test(String(of['name'])) && isNode(by) && making.has(String(by['name']));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
