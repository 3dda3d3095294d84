/** Terminal methods that a browser module must not rely on: nothing here checks anything. */
const checks = new Set(['safeParse', 'parseAsync', 'safeParseAsync', 'check', 'decode', 'encode']);

/**
 * Takes zod's place in the browser build (vite.config.ts). The service validates every answer
 * against its schema before sending it, so here a schema is only a shape that `parse` passes through.
 */
export const z: unknown = new Proxy(() => z, {
  get(_, name) {
    if (name === 'parse') return (value: unknown) => value;
    if (checks.has(String(name))) throw new Error(`Schemas do not ship to the browser: ${String(name)} is not there`);
    return z;
  },
  apply: () => z,
});
