import { code, list, text, type Block } from './blocks.ts';

/** Of the chapter about alert rules: lists of values, and rules as a document. */
export const alertLists: readonly Block[] = [
  text(
    'A list is a named set of up to 2,000 values that searches and rules ask for with `list:name`. What is changed in it holds with the next search. Members read lists, administrators write them.',
  ),
  list(
    'Exact: the whole value is one of the list.',
    'Suffix: the value ends with one, as `.tk`.',
    'Domain: the value is one, or a name below it: `example.org` also means `www.example.org`, and not `badexample.org`.',
  ),
  text(
    'Case and width make no difference. A list can have a source, which is read when that is due or when you press Refresh: lines of text, the first column of a CSV, or a hosts file; lines that begin with `#`, `;` or `//` are left out. What goes wrong is told with the list, which keeps its values. A source that has lost more than half of them is taken only by Refresh. A list cannot be deleted while a rule asks for it.',
  ),
  text(
    'Import YAML takes rules, and for administrators lists: all of a document or nothing of it. Preview says first what would change. Export YAML writes your own rules, for administrators after all lists and shared ones; secrets and sources are never in it. Scripts do the same with `svc alert-rules`.',
  ),
  code(
    'lists:',
    '  - name: crown_jewels',
    '    match: exact',
    '    values: [dc01, sql-prod-1]',
    'rules:',
    '  - name: Night watch',
    "    criteria: 'list:crown_jewels -tag:reviewed'",
    '    tags: [{name: prio/1, color: red}]',
    '    notify: true',
  ),
];
