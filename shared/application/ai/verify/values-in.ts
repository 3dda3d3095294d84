import type { AiFactKind } from '@svc/domain';
import { standIn } from '../pseudonyms/name-table.ts';

export interface ValueInText {
  readonly kind: AiFactKind;
  /** As written. */
  readonly value: string;
}

const programs =
  'exe|dll|sys|ps1|psm1|bat|cmd|vbs|vbe|js|jse|hta|wsf|scr|msi|cpl|lnk|jar|py|sh|elf|so|evtx|kirbi|dmp|zip|rar|7z|iso|docm|xlsm|doc|xls|pdf|aspx?|jsp|php';

/** By shape, what is told first wins; each leaves its place blank for those after it. */
const shapes: readonly (readonly [kind: AiFactKind, shape: RegExp])[] = [
  ['stand_in', new RegExp(standIn.source, 'giu')],
  ['url', /\b(?:https?|ftp|ldaps?|smb):\/\/[^\s`"'<>()[\]]+/giu],
  ['cve', /\bCVE-\d{4}-\d{4,7}\b/giu],
  ['technique', /\bT\d{4}(?:\.\d{3})?\b/gu],
  ['hash', /(?<![\da-f])(?:[\da-f]{128}|[\da-f]{64}|[\da-f]{40}|[\da-f]{32})(?![\da-f])/giu],
  ['path', /(?<![\w])(?:[a-z]:\\|\\\\)[^\s`"'<>|*?,;()]+(?<![.:])/giu],
  ['path', /(?<![\w:/.])\/(?:[\w.@+-]+\/)+[\w.@+-]*[\w@+-]/gu],
  ['user', /(?<![\w\\:.-])[\w.-]{2,40}\\[\w.$-]{2,64}(?<![.-])/gu],
  ['user', /\b[\w.+-]{2,64}@[\w-]+(?:\.[\w-]+)+\b/gu],
  ['ip', /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/gu],
  ['ip', /(?<![\w:])(?:[\da-f]{1,4}:){2,7}(?::|[\da-f]{1,4})(?::?[\da-f]{1,4})*(?![\w:])/giu],
  ['program', new RegExp(String.raw`(?<![\w\\/.])[\w-][\w.-]{0,80}\.(?:${programs})(?![\w.-]*\w)`, 'giu')],
  ['domain', /(?<![\w.@\\/-])(?:[a-z\d](?:[a-z\d-]{0,62})\.)+[a-z][a-z\d-]{1,23}(?![\w\\(-])/giu],
  // Names of hosts as Windows makes them: capitals with a number or a hyphen.
  ['host', /(?<![\w.\\/@-])(?=[A-Z\d-]*[\d-])(?=[A-Z\d-]*[A-Z]{2})[A-Z][A-Z\d-]{4,14}(?<!-)(?![\w.\\/@-])/gu],
  ['finding', /\bfindings?\s+#?\d{1,10}\b/giu],
  ['job', /\bjobs?\s+#?\d{1,10}\b/giu],
];

/** What has the shape of a name, and means something in general. */
const general: Partial<Record<AiFactKind, RegExp>> = {
  host: /^(?:SHA|MD|UTF|ISO|RFC|EVENT|AES|RC|NTLMV|KB|IPV|HTTP|TLS|SSL|SMB|WIN|BASE|CRC|MS|PS)-?\d+(?:-\d+)*$/,
  domain: /^(?:e\.g|i\.e|node\.js|asp\.net|vb\.net)$/i,
  program: /^(?:node|vue|next)\.js$/i,
};

/** What in an answer looks as if it were from the evidence; each value once. */
export function valuesIn(answer: string): ValueInText[] {
  // Markdown writes a backslash before signs that would mean something.
  let rest = answer.replace(/\\([_*`#[\]().!-])/g, '$1');
  const found = new Map<string, ValueInText>();
  for (const [kind, shape] of shapes) {
    rest = rest.replace(shape, (value) => {
      if (general[kind]?.test(value) !== true) found.set(`${kind} ${value}`, { kind, value });
      return ' '.repeat(value.length);
    });
  }
  return [...found.values()];
}
