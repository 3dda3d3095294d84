/** What could hide in a line, turn its direction or end it: controls, invisible signs, and tags of Unicode. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u{E0000}-\u{E007F}]/gu;

/** A value of a log on one line, so that nothing in it can pass for a line of the brief; cut at `longest` characters. */
export function oneLine(value: string, longest: number): string {
  const line = value
    .slice(0, longest * 4)
    .replace(unseen, (sign) => (/[\t\n\r\v\f]/.test(sign) ? ' ' : `\\u{${sign.codePointAt(0)!.toString(16)}}`))
    .replace(/ {2,}/g, ' ')
    .trim();
  const signs = Array.from(line);
  return signs.length > longest ? `${signs.slice(0, longest - 1).join('')}…` : line;
}
