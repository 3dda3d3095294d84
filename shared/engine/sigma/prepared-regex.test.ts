import { describe, expect, it } from 'vitest';
import { prepareRegex } from './prepared-regex.ts';

describe('prepareRegex', () => {
  it.each([
    ['(?i)alpha\\d|beta[|)]x|(?:gamma|delta)', ['(?i)alpha\\d', '(?i)beta[|)]x', '(?i)(?:gamma|delta)']],
    ['alpha\\|x|beta[]|]', ['alpha\\|x', 'beta[]|]']],
    ['alpha', []],
    ['(?:alpha|beta)', []],
    // One of them tells of no text without which it does not match.
    ['alpha|\\d+', []],
    // The flag holds for what is behind it, too, and the sign is none.
    ['alpha(?i)x|beta', []],
    ['\\Qalpha|beta\\E', []],
    ['alpha[[:digit:]beta|]|gamma', []],
  ])('%s is any of %j', (source, parts) => {
    expect(prepareRegex(source, '').parts.map((part) => part.source)).toEqual(parts);
  });
});
