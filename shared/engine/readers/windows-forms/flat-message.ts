import { explanations, type MessageLabels, otherLabels } from './message-labels.ts';

/**
 * Messages whose lines were joined, as programs do that send one line for each event: blanks stand for line breaks and
 * tabs, and which of them did cannot be told. So lines are broken again where what is known to begin one stands.
 */
export function isFlat(message: string): boolean {
  return !message.includes('\n');
}

/** Patterns by what they are made of, of which there are as many as kinds of events whose messages are known. */
const ofNames = new Map<string, RegExp>();
const ofLabels = new WeakMap<MessageLabels, RegExp>();
const scriptHead = /^Creating Scriptblock text \(\d+ of \d+\):(?= )/;
const scriptEnd = ' ScriptBlock ID: ';

/** A joined message of Sysmon, with each of the names at the beginning of a line. */
export function brokenByNames(message: string, names: readonly string[]): string {
  const seen = new Set<string>();
  const isWide = / {2}\w+: /.test(message);
  return message.replace(patternOfNames(names), (whole, gap: string, name: string) => {
    // What a value says may look like a name, but hardly with two blanks before it, or before that name was.
    if (seen.has(name) || (isWide && gap.length < 2)) return whole;
    seen.add(name);
    return `\n${name}:`;
  });
}

/** Another joined message, as Windows writes it: headings, and what stands under them behind a tab. */
export function brokenByLabels(message: string, labels: MessageLabels): string {
  let heading = '';
  return withoutExplanations(message).replace(patternOfLabels(labels), (_, _gap, name: string) => {
    const isUnder = heading !== '' && hasLabel(labels, heading, name);
    if (!isUnder && Object.hasOwn(labels, name)) heading = name;
    const isHeading = !isUnder && heading === name;
    if (isHeading) return `\n${name}:\n\t`;
    return `\n${!isUnder && hasLabel(labels, '', name) ? '' : '\t'}${name}:`;
  });
}

/** A joined message of PowerShell with a block of a script, whose own lines stay joined. */
export function brokenByScript(message: string): string {
  const head = scriptHead.exec(message)?.[0];
  const end = message.lastIndexOf(scriptEnd);
  if (head === undefined || end < head.length) return message;
  const [id = '', path = ''] = message.slice(end + scriptEnd.length).split(/ {1,4}Path: ?/, 2);
  return `${head}\n${message.slice(head.length, end).trim()}\n\nScriptBlock ID: ${id}\nPath: ${path}`;
}

function hasLabel(labels: MessageLabels, heading: string, name: string): boolean {
  const group = Object.hasOwn(labels, heading) ? labels[heading] : undefined;
  return group !== undefined && Object.hasOwn(group, name);
}

/** Without what is said of the values behind them; values may quote it, so the last of each counts. */
function withoutExplanations(message: string): string {
  const places = explanations.map((text) => message.lastIndexOf(` ${text}`)).filter((at) => at >= 0);
  return places.length === 0 ? message : message.slice(0, Math.min(...places));
}

function patternOfNames(names: readonly string[]): RegExp {
  const key = names.join();
  let pattern = ofNames.get(key);
  if (pattern === undefined) ofNames.set(key, (pattern = patternOf(names)));
  return pattern;
}

function patternOfLabels(labels: MessageLabels): RegExp {
  let pattern = ofLabels.get(labels);
  if (pattern === undefined) {
    const own = Object.entries(labels).flatMap(([heading, group]) => [heading, ...Object.keys(group)]);
    ofLabels.set(labels, (pattern = patternOf([...own, ...otherLabels])));
  }
  return pattern;
}

function patternOf(words: readonly string[]): RegExp {
  const longestFirst = [...new Set(words)].filter((word) => word !== '').sort((a, b) => b.length - a.length);
  const any = longestFirst.map((word) => word.replace(/[^\w ]/g, '\\$&')).join('|');
  return new RegExp(`(^| {1,8}|\t+)(${any}) ?:(?= |$)`, 'g');
}
