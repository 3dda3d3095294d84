import { expect, it } from 'vitest';
import { addressesIn, canonical6 } from './addresses.ts';

it.each([
  ['10.0.0.5', ['10.0.0.5']],
  ['from 10.0.0.5 to 192.0.2.7.', ['10.0.0.5', '192.0.2.7']],
  ['10.0.0.5:443, again 10.0.0.5', ['10.0.0.5']],
  ['256.1.1.1', []],
  ['version 1.2.3.4.5', []],
  ['::ffff:192.0.2.9', ['192.0.2.9']],
  ['::FFFF:c000:0209', ['192.0.2.9']],
  ['2001:0DB8:0:0:0:0:0:1', ['2001:db8::1']],
  ['[fe80::1%12]:53', ['fe80::1']],
  ['fe80::abcd;10.1.1.1', ['fe80::abcd', '10.1.1.1']],
  ['64:ff9b::192.0.2.33', ['64:ff9b::c000:221']],
  ['12:30:45', []],
  ['C:\\Windows\\System32', []],
  ['2026-08-01T09:12:04', []],
  ['1:2:3:4:5:6:7:8:9', []],
  ['::', []],
  ['abcd', []],
])('finds the addresses in %s', (text, expected) => {
  expect(addressesIn(text)).toEqual(expected);
});

it.each([
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['fe80::', 'fe80::'],
  ['12345::', null],
  ['1::2::3', null],
])('writes %s in canonical form', (text, expected) => {
  expect(canonical6(text)).toBe(expected);
});
