import { isAscii } from '../events/value-table.ts';
import { compileRegex } from '../sigma/regex.ts';
import type { Severity } from '../severity.ts';
import { baseName } from './entities.ts';
import { entropyOf } from './entropy.ts';
import { posesAs } from './lookalikes.ts';
import { neededTexts } from './regex-screen.ts';

interface CheckOf<T extends string> {
  readonly type: T;
  /** Names of fields; case-sensitive. */
  readonly fields: readonly string[];
  /** @default what the type says, resolved-platform 6.1 */
  readonly severity?: Severity | undefined;
}

/** What is looked for in values of some fields (resolved-platform 6.1). */
export type ThreatCheck =
  | (CheckOf<'regex'> & {
      readonly patterns: readonly {
        readonly name: string;
        readonly pattern: string;
        readonly severity?: Severity | undefined;
      }[];
    })
  | (CheckOf<'basename_in_set'> & { readonly values: readonly string[] })
  | (CheckOf<'keyword_in_value'> & {
      readonly name: string;
      readonly values: readonly string[];
      /** Whether a keyword must end where a name of hosts does. @default false */
      readonly atLabelEnd?: boolean | undefined;
    })
  | (CheckOf<'port_in_set'> & { readonly values: readonly number[] })
  | (CheckOf<'entropy'> & { readonly name: string; readonly threshold: number; readonly minLength: number })
  | (CheckOf<'masquerade'> & {
      readonly systemBinaries: readonly string[];
      /** Folders, without their last separator. */
      readonly legitimatePaths: readonly string[];
    })
  | (CheckOf<'typosquat'> & {
      readonly targets: readonly string[];
      readonly exclude: readonly string[];
      readonly maxDistance: number;
      readonly minLength: number;
    });

/** One hit of a check in one value. */
export interface ThreatHit {
  readonly tag: string;
  readonly severity: Severity;
  readonly value: string;
}

/** What one check finds in a value of one of its fields. */
export type ThreatTest = (value: string, field: string) => readonly ThreatHit[];

const none: readonly ThreatHit[] = [];
const longestText = 8192;

const defaults: Readonly<Record<ThreatCheck['type'], Severity | null>> = {
  regex: null,
  basename_in_set: 'high',
  keyword_in_value: 'medium',
  port_in_set: 'medium',
  entropy: 'medium',
  masquerade: 'critical',
  typosquat: 'high',
};

/**
 * Makes a check ready to be run on values. Regular expressions run in linear time, whatever the pattern.
 * @param otherwise severity where neither the check nor its type has one.
 */
export function compileCheck(check: ThreatCheck, otherwise: Severity): ThreatTest {
  const severity = check.severity ?? defaults[check.type] ?? otherwise;
  const one = (tag: string, value: string): readonly ThreatHit[] => [{ tag, severity, value }];
  switch (check.type) {
    case 'regex':
      return regexTest(check.patterns, severity);
    case 'basename_in_set': {
      const names = new Set(check.values.map((name) => name.toLowerCase()));
      return (value) => {
        const name = baseName(value);
        return names.has(name) ? one(name.toUpperCase(), tail(value, 80, 77)) : none;
      };
    }
    case 'keyword_in_value': {
      const { name, atLabelEnd = false } = check;
      const words = check.values.map((word) => word.toLowerCase());
      const tag = name.toUpperCase();
      return (value) => {
        const lower = value.toLowerCase();
        const isIn = (word: string): boolean => (atLabelEnd ? endsLabel(lower, word) : lower.includes(word));
        return words.some(isIn) ? one(tag, wholeText(value)) : none;
      };
    }
    case 'port_in_set': {
      const ports = new Set(check.values);
      return (value, field) =>
        /^\s*\d{1,5}\s*$/.test(value) && ports.has(Number(value)) ? one('C2_PORT', `${field}=${Number(value)}`) : none;
    }
    case 'entropy': {
      const { minLength, threshold, name } = check;
      const tag = name.toUpperCase();
      return (value) =>
        value.length >= minLength && entropyOf(value) > threshold ? one(tag, headOf(value, 60, 57)) : none;
    }
    case 'masquerade':
      return masqueradeTest(check.systemBinaries, check.legitimatePaths, (value) => one('MASQUERADE', value));
    case 'typosquat': {
      const { targets, exclude, maxDistance, minLength } = check;
      const known = new Set([...targets, ...exclude]);
      return (value) => {
        const name = baseName(value);
        if (name.length < minLength || known.has(name)) return none;
        const target = posesAs(name, targets, maxDistance);
        if (target === null) return none;
        const tag = `TYPOSQUAT_${target.replace(/\.exe$/, '').toUpperCase()}`;
        return one(tag, wholeText(`${name} (looks like ${target}) at ${value}`));
      };
    }
  }
}

/** Searched for only in values that contain what every match does. */
function regexTest(patterns: (ThreatCheck & { type: 'regex' })['patterns'], otherwise: Severity): ThreatTest {
  const compiled = patterns.map(({ name, pattern, severity = otherwise }) => ({
    tag: name.toUpperCase(),
    severity,
    needed: neededTexts(pattern),
    matches: compileRegex(pattern, 'i'),
  }));
  return (value) => {
    const lower = isAscii(value) ? value.toLowerCase() : null;
    return compiled
      .filter(
        ({ needed, matches }) =>
          (lower === null || needed === null || needed.some((text) => lower.includes(text))) && matches(value) === true,
      )
      .map(({ tag, severity }) => ({ tag, severity, value: wholeText(value) }));
  };
}

/** A system program anywhere but directly in one of the folders where it belongs; relative paths tell nothing. */
function masqueradeTest(
  systemBinaries: readonly string[],
  legitimatePaths: readonly string[],
  hit: (value: string) => readonly ThreatHit[],
): ThreatTest {
  const names = new Set(systemBinaries);
  const folders = new Set(legitimatePaths.map((path) => path.toLowerCase()));
  return (value) => {
    const path = value
      .trim()
      .toLowerCase()
      .replaceAll('/', '\\')
      .replace(/^\\\\\?\\/, '');
    const name = baseName(path);
    if (!names.has(name) || !path.includes('\\')) return none;
    const folder = path
      .slice(0, -name.length - 1)
      .replace(/^\\systemroot/, 'c:\\windows')
      .replace(/^\\device\\harddiskvolume\d+/, 'c:');
    return folders.has(folder.replace(/^[a-z]:/, 'c:')) ? none : hit(value);
  };
}

function endsLabel(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const next = text[at + word.length];
    // A closing dot ends a name; more letters or another label do not.
    if (next === undefined || !/[a-z0-9._-]/.test(next)) return true;
    if (next === '.' && !/[a-z0-9_-]/.test(text[at + word.length + 1] ?? '')) return true;
  }
  return false;
}

/** Long values keep head and tail. */
function wholeText(value: string): string {
  if (value.length <= longestText) return value;
  const marker = ` … ${value.length - longestText} characters … `;
  const half = (longestText - marker.length) >> 1;
  return value.slice(0, half) + marker + value.slice(-half);
}

function tail(value: string, longest: number, kept: number): string {
  return value.length > longest ? `...${value.slice(-kept)}` : value;
}

function headOf(value: string, longest: number, kept: number): string {
  return value.length > longest ? `${value.slice(0, kept)}...` : value;
}
