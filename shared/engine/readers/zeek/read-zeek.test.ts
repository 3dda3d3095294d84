import { expect, it } from 'vitest';
import { inputSources } from '../../sigma/input-sources.ts';
import { freshTables, readAll } from '../../testing/index.ts';
import { readZeek } from './read-zeek.ts';

const tsv = String.raw`#separator \x09
#set_separator	,
#empty_field	(empty)
#unset_field	-
#path	dns
#fields	ts	uid	id.orig_h	query	answers	note	rejected
#types	time	string	addr	string	vector[string]	string	bool
1521911720.865716	C1	192.0.2.1	a\x09b	x,y	(empty)	-
#close	2024-04-12-19-29-15
`;

it('reads by the header', async () => {
  const { report, records, heads } = await readAll(readZeek, tsv);
  expect(report).toEqual({ records: 1, problems: [] });
  expect(records[0]).toEqual({
    ts: '1521911720.865716',
    uid: 'C1',
    'id.orig_h': '192.0.2.1',
    query: 'a\tb',
    answers: ['x', 'y'],
    _offset: tsv.indexOf('1521911720'),
  });
  expect(heads[0]).toMatchObject({ computer: '192.0.2.1', channel: 'dns', recordId: 'C1' });
  expect(heads[0]?.timestamp).toMatch(/^2018-03-24T17:15:20\.865/);
});

it.each([
  ['id_orig_h', []],
  ['id.orig_h', ['192.0.2.1']],
  ['answer', ['x', 'y']],
  ['note', ['']],
  ['rejected', []],
])('finds %s', async (name, texts) => {
  const tables = freshTables();
  const field = tables.fields.id(name);
  const found: string[] = [];
  await readAll(
    readZeek,
    tsv,
    (event) => {
      const id = event.value(field);
      for (const item of id === 0 ? [] : (event.values.items(id) ?? [id])) found.push(event.values.text(item));
      expect(event.route.facts).toEqual(inputSources.zeekDns);
    },
    { tables },
  );
  expect(found).toEqual(texts);
});

it('takes other separators, and a second header', async () => {
  const semicolons = tsv
    .replaceAll('\t', ';')
    .replace(String.raw`\x09`, ';')
    .replace(String.raw`a\x09b`, 'a');
  const { report, records } = await readAll(readZeek, semicolons + tsv.replaceAll('dns', 'http'));
  expect(report).toEqual({ records: 2, problems: [] });
  expect(records.map((record) => record.query)).toEqual(['a', 'a\tb']);
});

it('counts lines before any header', async () => {
  expect((await readAll(readZeek, 'x\ty\n')).report).toMatchObject({ records: 0, problems: [{ count: 1 }] });
});
