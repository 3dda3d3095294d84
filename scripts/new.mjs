// npm run new -- operation AREA NAME: writes all places of an operation, so that it type-checks and its test fails,
// and says what to fill.   npm run new -- operation tags countTags
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled, fail, root, run } from './install.mjs';

const [kind, area, name] = process.argv.slice(2);
const usage = 'npm run new -- operation AREA NAME, as in: npm run new -- operation tags countTags';
if (kind !== 'operation' || !area || !name) fail(usage);
if (!/^[a-z]+([A-Z][a-z0-9]*)+$/.test(name)) fail(`NAME is a verb and a noun in camel case: ${usage}`);
const table = `functions/api/${area}.ts`;
if (!existsSync(join(root, table))) fail(`There is no area “${area}”: functions/api has no table for it`);
ensureInstalled();

const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const words = file.replaceAll('-', ' ');
const useCase = `shared/application/${area}/${file}.ts`;
const test = `shared/application/${area}/${file}.test.ts`;
const access = 'test/conformance/access-table.ts';
const contract = `shared/contracts/${area}/operations.ts`;
if (existsSync(join(root, useCase)) || new RegExp(`^  ${name}: \\{`, 'm').test(read(contract))) {
  fail(`There is an operation “${name}” already`);
}

// All of them first: where a place is not found, nothing is written.
const texts = {
  [contract]: withBefore(
    read(contract),
    /^\} as const satisfies Record<string, Operation>;/m,
    `  ${name}: {
    area: '${area}',
    method: 'GET',
    path: '/api/v1/${file}',
    summary: '${words[0].toUpperCase()}${words.slice(1)}',
    access: 'admin',
    success: [200],
    output: z.object({}),
    errors: [],
  },
`,
  ),
  [test]: `import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ${name} } from './${file}.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(() => test.reset());
afterAll(() => test.close());

it('${words}', async () => {
  expect(await ${name}(test.ports, await addAdmin(test.ports), {})).toEqual({});
});
`,
  [useCase]: `import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';

/** ${words[0].toUpperCase()}${words.slice(1)}. */
export async function ${name}(
  _ports: object,
  _actor: Actor,
  _input: InputOf<typeof operations.${name}>,
): Promise<OutputOf<typeof operations.${name}>> {
  throw new Error('${name} is not written yet: ${useCase}');
}
`,
  [table]: withBefore(
    withBefore(
      read(table),
      /^import .* from '\.\.\//m,
      `import { ${name} } from '@svc/application/${area}/${file}.ts';\n`,
    ),
    new RegExp(`^\\} satisfies TableOf<'${area}'>;`, 'm'),
    `  ${name},\n`,
  ),
  [access]: withBefore(
    withBefore(read(access), /^`;/m, `${name.padEnd(24)} 401      403   403     403    200    -\n`),
    /^\};(?![^]*^\};)/m,
    `  ${name}: () => ({}),\n`,
  ),
};

for (const [path, text] of Object.entries(texts)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
run(process.execPath, ['scripts/docs.mjs']);
process.stdout.write(`Fill in, from the top:
  ${contract}: address, who may call, what goes in and out, refusals
  ${test}: what is expected; it fails now
  ${useCase}: what it does; the ports that it asks for (Pick<Ports, …>) also stand in functions/area-ports.ts
  ${table}: its row, with “presented” where the result does not say all of the answer
  ${access}: who gets which status, and a request (one row “public” and one “private” where it names a job)
docs/api.md is written by node scripts/docs.mjs. Then: npm run format, npm run check, npm test -- ${test} test/conformance
`);

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function withBefore(text, place, added) {
  const at = text.search(place);
  if (at < 0) fail(`${place} is not found where a row belongs; nothing was written`);
  return text.slice(0, at) + added + text.slice(at);
}
