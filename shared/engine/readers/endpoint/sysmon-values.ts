import type { Derive, TextOf } from '../named/profile.ts';

/** A path with the name of the file, which some tables have in it and others beside it. */
export function pathOf(folder: string, name: string): Derive {
  return (text) => {
    const [path = '', last = ''] = [text(folder), text(name)];
    if (last === '' || path === '' || path.toLowerCase().endsWith(last.toLowerCase())) return path || last || undefined;
    const separator = path.includes('/') ? '/' : '\\';
    return path.endsWith(separator) ? `${path}${last}` : `${path}${separator}${last}`;
  };
}

/** Domain and name, as `CORP\bob`. */
export function account(domain: string, name: string): Derive {
  return (text) => {
    const [of = '', who = ''] = [text(domain), text(name)];
    return who === '' ? undefined : of === '' ? who : `${of}\\${who}`;
  };
}

const knownAccounts: ReadonlyMap<string, string> = new Map([
  ['S-1-5-18', 'NT AUTHORITY\\SYSTEM'],
  ['S-1-5-19', 'NT AUTHORITY\\LOCAL SERVICE'],
  ['S-1-5-20', 'NT AUTHORITY\\NETWORK SERVICE'],
  ['0', 'root'],
]);

/** Name of an account whose number is the same everywhere; the number for any other. */
export function knownAccount(id: string | undefined): string | undefined {
  return id === undefined || id === '' ? undefined : (knownAccounts.get(id) ?? id);
}

/** The first of fields that says something. */
export function firstOf(text: TextOf, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = text(name) ?? '';
    if (value !== '') return value;
  }
  return undefined;
}

/** Hashes as Sysmon writes them: `MD5=…,SHA256=…`. @param fields by the name of the algorithm. */
export function hashesOf(fields: Readonly<Record<string, string>>): Derive {
  return (text) => joined(Object.entries(fields).map(([name, field]) => [name, text(field) ?? '']));
}

const hashNames: ReadonlyMap<number, string> = new Map([
  [32, 'MD5'],
  [40, 'SHA1'],
  [64, 'SHA256'],
]);

/** Hashes that are told apart by their lengths only. */
export function hashesIn(...fields: readonly string[]): Derive {
  return (_, texts) =>
    joined(fields.flatMap((field) => texts(field)).map((hash) => [hashNames.get(hash.trim().length) ?? '', hash]));
}

function joined(hashes: readonly (readonly [string, string])[]): string | undefined {
  const found = hashes.flatMap(([name, hash]) => {
    const hex = hash.trim().toUpperCase();
    // A sensor that does not make a kind of hash writes zeros.
    return name === '' || hex === '' || /^0+$/.test(hex) ? [] : `${name}=${hex}`;
  });
  return found.length === 0 ? undefined : found.join(',');
}

/** A key, with or without the name of a value, under the names of hives that Sysmon has. */
export function registryPath(path: string): string {
  return path
    .replace(/^(?:\\?REGISTRY\\)?MACHINE(?=\\|$)/i, 'HKLM')
    .replace(/^(?:\\?REGISTRY\\)?USER(?=\\|$)/i, 'HKU')
    .replace(/^HKEY_LOCAL_MACHINE/i, 'HKLM')
    .replace(/^HKEY_CURRENT_USER(?=\\S-1-)/i, 'HKU')
    .replace(/^HKEY_CURRENT_USER/i, 'HKCU')
    .replace(/^HKEY_USERS/i, 'HKU')
    .replace(/^HKEY_CLASSES_ROOT/i, 'HKCR')
    .replace(/\\ControlSet\d{3}(?=\\|$)/i, '\\CurrentControlSet');
}

/** Key and value as Sysmon writes them. */
export function registryTarget(key: string, value: string): Derive {
  return (text) => {
    const [path = '', name = ''] = [text(key), text(value)];
    if (path === '') return undefined;
    return name === '' ? registryPath(path) : `${registryPath(path)}\\${name}`;
  };
}

/** A value as Sysmon writes it: numbers in hexadecimal after their type. */
export function registryData(type: string, data: string | undefined): string | undefined {
  const kind = type.replace(/^REG_/i, '').toLowerCase();
  if (kind === 'binary') return 'Binary Data';
  if (data === undefined || !/^(?:\d{1,20}|0x[\da-f]{1,16})$/i.test(data)) return data;
  const hex = (digits: number): string => BigInt(data).toString(16).padStart(digits, '0');
  if (kind === 'dword') return `DWORD (0x${hex(8)})`;
  return kind === 'qword' ? `QWORD (0x${hex(16).slice(0, -8)}-0x${hex(16).slice(-8)})` : data;
}

/** Without the device's path, as Sysmon writes it. */
export function pipeName(field: string): Derive {
  return (text) => text(field)?.replace(/^\\Device\\NamedPipe/i, '');
}
