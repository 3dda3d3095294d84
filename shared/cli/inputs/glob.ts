/** Whether a text is a pattern of names: `*`, `?`, a set in brackets or alternatives in braces. */
export function hasWildcard(text: string): boolean {
  return /[*?]|\[[^\]]+\]|\{[^{}]*,[^{}]*\}/.test(text);
}

const part = /\[(!?)([^\]]+)\]|\{([^{}]*,[^{}]*)\}|[\s\S]/g;

/**
 * Matches one name against `*`, `?`, `[a-z]`, `[!a-z]` and `{one,other}`; names that begin with a dot
 * only where the pattern does.
 */
export function nameMatcher(
  pattern: string,
  flags = process.platform === 'win32' ? 'i' : '',
): (name: string) => boolean {
  const whole = new RegExp(`^${sourceOf(pattern)}$`, `s${flags}`);
  const isHidden = pattern.startsWith('.');
  return (name) => name.startsWith('.') === isHidden && whole.test(name);
}

function sourceOf(pattern: string): string {
  return pattern.replace(part, (whole, not: string | undefined, set: string, choices: string | undefined) => {
    if (choices !== undefined) return `(?:${choices.split(',').map(sourceOf).join('|')})`;
    if (not !== undefined) return `[${not === '' ? '' : '^'}${set.replace(/[\\[\]^]/g, String.raw`\$&`)}]`;
    if (whole === '*') return '.*';
    return whole === '?' ? '.' : whole.replace(/[\\^$.|+(){}[\]]/, String.raw`\$&`);
  });
}
