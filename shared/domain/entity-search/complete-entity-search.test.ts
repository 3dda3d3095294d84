import { expect, it } from 'vitest';
import { entityCaretIn, fixedEntityChoices, suggestEntityKeys, suggestEntityValues } from './complete-entity-search.ts';

/** What a query with the caret at `|` is completed to, of the values that are the same for everyone. */
function complete(marked: string): string[] {
  const at = marked.indexOf('|');
  const caret = entityCaretIn(marked.replace('|', ''), at);
  const found =
    caret.key === null ? suggestEntityKeys(caret) : suggestEntityValues(caret, fixedEntityChoices(caret.key) ?? []);
  return found.map(({ insert }) => `${marked.slice(0, caret.start)}${insert}`);
}

it.each([
  ['ty|', ['type:']],
  ['-t|', ['-tag:', '-type:']],
  ['tag:x l|', ['tag:x label:', 'tag:x list:']],
  ['(r|', ['(re:/']],
  ['in|', ['in:(']],
  ['type:us|', ['type:user']],
  ['-type:user,ip|', ['-type:user,ip_address']],
  ['attr:sus|', ['attr:suspicious_tld']],
  ['is:|', ['is:watched', 'is:mine', 'is:allowlisted']],
  ['cidr:10|', []],
  ['re:/a|', []],
])('%s is completed to %j', (marked, expected) => expect(complete(marked)).toEqual(expected));

it('offers all keys where nothing is typed', () => expect(complete('tag:x |')).toHaveLength(14));

it('puts quotes around a value with blanks', () => {
  const choices = [{ value: 'two words', detail: '' }];
  expect(suggestEntityValues(entityCaretIn('-tag:a,tw', 9), choices)[0]?.insert).toBe('-"tag:a,two words"');
});
