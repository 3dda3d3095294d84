import { expect, it } from 'vitest';
import { neededTexts } from './regex-screen.ts';

it.each([
  ['frombase64string', ['frombase64string']],
  ['(?:set|add)-MpPreference', ['-mppreference']],
  ['mimikatz|lazagne', ['mimikatz', 'lazagne']],
  ['mimikatz|x', null],
  ['\\.ssh[\\\\/]id_(?:rsa|dsa)', ['.ssh']],
  ['(?:abc)?', null],
  ['(?:abc)+d', ['abc']],
  ['[0-9]{4}', null],
  ['\\bpkexec\\b', ['pkexec']],
  ['/dev/(?:tcp|udp)/', ['/dev/']],
  ['(unclosed', null],
])('knows what %s cannot do without', (pattern, expected) => {
  expect(neededTexts(pattern)).toEqual(expected);
});
