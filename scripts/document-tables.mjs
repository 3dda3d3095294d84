// Tables of documents that follow the code, each between two marks: <!-- name --> and <!-- /name -->.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTool, fail, root } from './install.mjs';

/** The document with these tables in the place of its own: `{ name: { head, rows } }`. */
export function withTables(path, tables) {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [name, { head, rows }] of Object.entries(tables)) {
    const marks = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = marks.map((mark) => text.indexOf(mark));
    if (start < 0 || end < start) fail(`${path} has no marks for ${name}`);
    const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    text = `${text.slice(0, start + marks[0].length)}\n\n${table}\n\n${text.slice(end)}`;
  }
  return execFileSync(checkTool('oxfmt'), [`--stdin-filepath=${path}`], { cwd: root, input: text, encoding: 'utf8' });
}
