import type { RuleTerm } from './read-rule.ts';

/** A part of a value, from its first character to before its last. */
export type Mark = readonly [from: number, to: number];

/** One value of a matched event as it is shown. */
export interface EvidenceField {
  readonly name: string;
  readonly text: string;
  /** The rule looked at this field and found what it looks for. */
  readonly matched: boolean;
  /** Parts of the text that the rule looks for; sorted, without overlaps. */
  readonly marks: readonly Mark[];
}

export interface Evidence {
  /** What the rule matched, then what a reader looks at first. */
  readonly lead: readonly EvidenceField[];
  readonly rest: readonly EvidenceField[];
}

const telling = [
  'CommandLine', 'Image', 'ParentCommandLine', 'ParentImage', 'ScriptBlockText', 'Payload', 'TargetFilename',
  'TargetObject', 'Details', 'ServiceName', 'ServiceFileName', 'ImagePath', 'TaskName', 'ImageLoaded', 'SourceImage',
  'TargetImage', 'GrantedAccess', 'PipeName', 'QueryName', 'DestinationIp', 'DestinationHostname', 'DestinationPort',
  'SourceIp', 'IpAddress', 'WorkstationName', 'LogonType', 'User', 'SubjectUserName', 'TargetUserName', 'ShareName',
  'RelativeTargetName', 'ObjectName', 'OriginalFileName', 'IntegrityLevel', 'Hashes',
]; // oxfmt-ignore

const rank = new Map(telling.map((name, place) => [name.toLowerCase(), place] as const));

/** Orders the fields of an event: matched by the rule, named by it, telling, then all others as they stand. */
export function evidenceOf(fields: Readonly<Record<string, unknown>>, terms: readonly RuleTerm[]): Evidence {
  const named = new Map(
    terms.flatMap(({ field }, place) => (field === null ? [] : [[field.toLowerCase(), place] as const])).reverse(),
  );
  const placed = Object.entries(fields).map(([name, value]) => {
    const text = valueText(value);
    const key = name.toLowerCase();
    const own = terms.filter(({ field }) => field === null || field.toLowerCase() === key);
    const marks = merged(own.flatMap((term) => marksOf(text, term)));
    const matched = marks.length > 0 || own.some(({ comparison, field }) => field !== null && comparison === 'other');
    const place = (matched ? 0 : 1000) + (named.get(key) ?? 2000 + (rank.get(key) ?? 2000));
    return { field: { name, text, matched, marks }, place };
  });
  const lead = placed.filter(({ place }) => place < 4000).sort((a, b) => a.place - b.place);
  const rest = placed.filter(({ place }) => place >= 4000);
  return { lead: lead.map(({ field }) => field), rest: rest.map(({ field }) => field) };
}

/** The field that says most of an event in one line: its command line, else what the rule matched. */
export function headlineOf({ lead }: Evidence): EvidenceField | undefined {
  return lead.find(({ name }) => name.toLowerCase() === 'commandline') ?? lead[0];
}

/** A value as evidence: verbatim; lists one item a line. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(valueText).join('\n');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Where in a text a rule's term finds what it looks for; nothing when the whole term does not hold there. */
function marksOf(text: string, { comparison, values, anyDash }: RuleTerm): Mark[] {
  if (comparison === 'other') return [];
  const hay = folded(text, anyDash);
  return values.flatMap((value) => {
    const parts = literals(value).map((part) => folded(part, anyDash));
    if (parts.length === 0) return [];
    return partsIn(hay, parts, {
      start: comparison === 'startswith' || (comparison === 'equals' && !value.startsWith('*')),
      end: comparison === 'endswith' || (comparison === 'equals' && !/(^|[^\\])\*$/.test(value)),
    });
  });
}

/** The parts in their order, the first at the start and the last at the end where that is asked for. */
function partsIn(hay: string, parts: readonly string[], anchored: { start: boolean; end: boolean }): Mark[] {
  const marks: Mark[] = [];
  let from = 0;
  for (const [place, part] of parts.entries()) {
    const last = place === parts.length - 1;
    const at = last && anchored.end ? hay.length - part.length : hay.indexOf(part, from);
    if (at < from || !hay.startsWith(part, at) || (place === 0 && anchored.start && at !== 0)) return [];
    marks.push([at, at + part.length]);
    from = at + part.length;
  }
  return marks;
}

/** Text between the wildcards of a Sigma value; `\*`, `\?` and `\\` stand for themselves. */
function literals(value: string): string[] {
  const parts = [''];
  for (const [token] of value.matchAll(/\\[*?\\]|[^]/g)) {
    if (token === '*' || token === '?') parts.push('');
    else parts[parts.length - 1] += token.length === 2 ? token.charAt(1) : token;
  }
  return parts.filter(Boolean);
}

function folded(text: string, anyDash: boolean): string {
  const lower = text.toLowerCase();
  return anyDash ? lower.replace(/[/–—―]/g, '-') : lower;
}

function merged(marks: readonly Mark[]): Mark[] {
  const result: [number, number][] = [];
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** The text cut at its marks, in order. */
export function pieces(text: string, marks: readonly Mark[]): { text: string; marked: boolean }[] {
  const cut: { text: string; marked: boolean }[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    cut.push({ text: text.slice(from, start), marked: false }, { text: text.slice(start, end), marked: true });
    from = end;
  }
  cut.push({ text: text.slice(from), marked: false });
  return cut.filter((piece) => piece.text !== '');
}
