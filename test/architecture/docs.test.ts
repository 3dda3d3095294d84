import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const top = new Set([
  'shared',
  'config',
  'functions',
  'containers',
  'frontend',
  'test',
  'scripts',
  'docs',
  'infra',
  'localstack',
  'tools',
]);

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Repository paths that a document writes in backticks, and the local files it links to. */
function cited(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.@-]+)+\/?)`/g)].map((match) => match[1]!);
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
  return [
    ...paths.filter((path) => top.has(path.split('/')[0]!)),
    ...links.map((link) => join(dirname(document), link)),
  ];
}

describe('documents', () => {
  it.each(documents)('%s cites only what exists', (document) => {
    expect(cited(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('numbers decisions without gaps or doubles', () => {
    const numbers = readdirSync(join(root, 'docs/decisions')).map((name) => Number(name.slice(0, 4)));
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
  });
});
