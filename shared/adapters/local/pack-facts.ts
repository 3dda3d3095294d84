import type { RuleFile } from '@svc/engine';

/** What a pack says of itself in its `pack.json`. */
export interface PackManifest {
  readonly name?: string;
  readonly version?: string;
  readonly licence?: string;
}

/** Reads a `pack.json`; what is no such, or too long, is not heeded. */
export function readManifest(text: string | null): PackManifest {
  const stated = parsed(text);
  return Object.fromEntries(
    (['name', 'version', 'licence'] as const).flatMap((key) => {
      const value = stated[key];
      return typeof value === 'string' && /^\S.{0,99}$/.test(value) ? [[key, value]] : [];
    }),
  );
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text ?? '{}') as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** What SigmaHQ's release archives say in their `version.txt`; the licence of the rules is not in them. */
export function readRelease(text: string | null): Pick<PackManifest, 'version' | 'licence'> {
  const [, label] = /^Label: (\S{1,100})\r?\nCommit-Hash: [0-9a-f]{40}\s*$/m.exec(text ?? '') ?? [];
  return label === undefined ? {} : { version: label, licence: 'DRL-1.1' };
}

/** Name of the licence: the first line of its text, or else what the rules state, where all state the same. */
export function licenceOf(licence: string | null, rules: readonly RuleFile[]): string | null {
  const title = licence
    ?.split('\n')
    .map((line) => line.replace(/^[#\s]+/, '').trim())
    .find((line) => line !== '');
  if (title !== undefined) return title.slice(0, 100);
  const stated = new Set(rules.map(({ text }) => /^license:\s*(\S.{0,99})$/m.exec(text)?.[1]?.trim()));
  return stated.size === 1 ? ([...stated][0] ?? null) : null;
}

/** The newest date or change of a rule, as an ISO date; null where none is dated. */
export function newestDate(rules: readonly RuleFile[]): string | null {
  let newest: string | null = null;
  for (const { text } of rules) {
    for (const [, year, month, day] of text.matchAll(/^(?:date|modified):\s*['"]?(\d{4})[-/](\d{2})[-/](\d{2})/gm)) {
      const date = `${year}-${month}-${day}`;
      if (!Number.isNaN(Date.parse(date)) && (newest === null || date > newest)) newest = date;
    }
  }
  return newest;
}
