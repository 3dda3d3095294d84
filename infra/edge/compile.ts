import { operations, type Operation } from '@svc/contracts';
import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** CloudFront takes no longer functions. */
const largestBytes = 10_240;

/** What functions take of a body with a file (functions/middleware/form-in-body.ts): Lambda's 6 MB are for its base64. */
export const largestFunctionBody = 4 * 1_048_576;

/** What the runtime cloudfront-js-2.0 has of newer JavaScript than ES 5.1; esbuild refuses what it cannot lower. */
const runtime = { 'const-and-let': true, arrow: true, 'template-literal': true, 'rest-argument': true };

export interface ViewerRequestOptions {
  /** Files of the site outside /assets/, as paths from `/`. */
  readonly siteFiles: readonly string[];
  readonly hasGateway: boolean;
}

/** The function that runs at CloudFront for a viewer's request, from the very rule that the gateway uses. */
export function viewerRequestCode({ siteFiles, hasGateway }: ViewerRequestOptions): string {
  const [output] = buildSync({
    entryPoints: [fileURLToPath(new URL('viewer-request.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es5',
    supported: runtime,
    external: ['cloudfront'],
    minifyWhitespace: true,
    define: { hasGateway: String(hasGateway), largestFunctionBody: String(largestFunctionBody) },
    footer: { js: `const siteFiles=${JSON.stringify(siteFiles)},uploadPaths=${uploadPaths().toString()};` },
    logLevel: 'silent',
  }).outputFiles;
  // A function of CloudFront is found by its name and may export nothing.
  const code = (output?.text ?? '').replace(/export\s*\{\s*handler\s*\};?/, '');
  if (Buffer.byteLength(code) > largestBytes)
    throw new Error(`the edge’s function has more than ${largestBytes} bytes`);
  return code;
}

/** Paths of operations whose body is a file, or has one. */
function uploadPaths(table: readonly Operation[] = Object.values(operations)): RegExp {
  const paths = table.filter(({ file, raw, bodyLimit }) => (file || raw) && bodyLimit === undefined);
  return new RegExp(`^(?:${paths.map(({ path }) => path.replaceAll(/\{\w+\}/g, '[^/]+')).join('|')})$`);
}
