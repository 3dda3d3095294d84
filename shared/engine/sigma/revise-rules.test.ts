import { describe, expect, it } from 'vitest';
import { reviseRules } from './revise-rules.ts';

const rule = (title: string, id?: string): string => `title: ${title}${id ? `\nid: ${id}` : ''}\nlevel: low`;
const files = [
  { path: 'a.yml', text: `${rule('A', 'ID-A')}\n---\n${rule('B', 'id-b')}\n` },
  { path: 'c.yml', text: rule('C', 'id-c') },
];

describe('reviseRules', () => {
  it('adds a rule, with an id where it has none', () => {
    const revised = reviseRules(files, { id: null, text: rule('D') })!;
    expect(revised.saved!.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(revised.files.slice(0, 2)).toEqual(files);
    expect(revised.files[2]).toEqual({
      path: `rules/${revised.saved!.id}.yml`,
      text: `title: D\nid: ${revised.saved!.id}\nlevel: low`,
    });
  });

  it('puts the id where it leaves a title of several lines whole', () => {
    for (const title of ['title: A\n  long one', 'title: A\r\n  long one', 'title: >\n\n  A long one']) {
      const revised = reviseRules([], { id: null, text: `${title}\nlevel: low` })!;
      expect(revised.files[0]!.text).toBe(`id: ${revised.saved!.id}\n${title}\nlevel: low`);
    }
  });

  it('replaces one document of a file, and leaves the others', () => {
    const revised = reviseRules(files, { id: 'id-a', text: rule('A2', 'id-a') })!;
    expect(revised.saved).toEqual({ id: 'id-a', path: 'a.yml' });
    expect(revised.files.find(({ path }) => path === 'a.yml')!.text).toBe(
      `${rule('B', 'id-b')}\n---\n${rule('A2', 'id-a')}`,
    );
  });

  it('removes one, and a file with its last', () => {
    const revised = reviseRules(files, { id: 'id-c', text: null })!;
    expect(revised).toEqual({ files: [files[0]], saved: null });
    expect(reviseRules(files, { id: 'id-b', text: null })!.files[0]!.text).toBe(rule('A', 'ID-A'));
  });

  it('knows no rule by another id, and lets none take the id of another', () => {
    expect(reviseRules(files, { id: 'id-x', text: null })).toBeNull();
    expect(() => reviseRules(files, { id: null, text: rule('X', 'ID-C') })).toThrow('another rule with the id id-c');
    expect(() => reviseRules(files, { id: 'id-a', text: rule('A', 'id-b') })).toThrow('another rule with the id id-b');
    const twice = `${rule('X', 'id-x')}\n---\n${rule('Y', 'id-x')}`;
    expect(() => reviseRules(files, { id: null, text: twice })).toThrow('id-x');
  });

  it('leaves what it cannot read as it is', () => {
    const damaged = { path: 'z.yml', text: 'title: [' };
    expect(reviseRules([...files, damaged], { id: 'id-c', text: null })!.files).toEqual([files[0], damaged]);
    expect(() => reviseRules(files, { id: 'id-c', text: '# nothing' })).toThrow('no rule in the text');
  });

  it('says where a text cannot be read', () => {
    expect(() => reviseRules(files, { id: null, text: 'title: [' })).toThrow(/^Line 1: Not readable as YAML/);
  });
});
