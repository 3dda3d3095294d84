import type { Evidence, FindingRow, Sentence } from '@svc/contracts';
import { severities } from '@svc/domain';

type Part = Sentence['parts'][number];

/** Characters of a command line that a sentence shows; its link leads to all of it. */
const longestQuote = 160;

export function plain(text: string): Part {
  return { text, verbatim: false, to: null };
}

export function link(text: string, to: Evidence): Part {
  return { text, verbatim: false, to };
}

/** Words of the log, on one line and cut where they are long. */
export function quote(text: string, to: Evidence): Part {
  const line = text.replace(/\s+/g, ' ').trim();
  return { text: line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line, verbatim: true, to };
}

/** To a finding, at the time of one of its events or at its first. */
export function toFinding({ id }: Pick<FindingRow, 'id'>, at: string | null = null): Evidence {
  return { kind: 'finding', finding: id, at };
}

/** `“Rule” (high)`, which leads to the finding. */
export function ruleOf(finding: FindingRow): Part[] {
  return [link(`“${finding.rule_name}”`, toFinding(finding, finding.first_seen)), plain(` (${finding.severity})`)];
}

/** Parts of which some may be missing, as one list in which plain texts beside each other are one. */
export function joined(...parts: readonly (Part | readonly Part[] | string | null)[]): Part[] {
  const all: Part[] = [];
  for (const part of parts.flat()) {
    if (part === null || part === '') continue;
    const next = typeof part === 'string' ? plain(part) : part;
    const last = all.at(-1);
    if (last && last.to === null && next.to === null) all[all.length - 1] = plain(last.text + next.text);
    else all.push(next);
  }
  return all;
}

/** `a, b and c`, with the parts of each. */
export function listed(items: readonly (readonly Part[])[]): Part[] {
  return items.flatMap((item, at) => {
    if (at === 0) return item;
    return [plain(at === items.length - 1 ? ' and ' : ', '), ...item];
  });
}

/** `1 finding`, `12 345 findings`, with thin separators. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${String(value).replace(/\B(?=(\d{3})+$)/g, '\u202F')} ${value === 1 ? one : many}`;
}

/** `2 critical and 1 high findings`, worst first. */
export function bySeverity(findings: readonly Pick<FindingRow, 'severity'>[]): string {
  const counts = severities
    .map((severity) => [findings.filter((one) => one.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => counted(count, severity, severity));
  const list = counts.length > 1 ? `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}` : counts[0];
  return `${list} ${findings.length === 1 ? 'finding' : 'findings'}`;
}

/** `2026-08-01 09:12:04`, UTC. */
export function clock(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ').replace(/Z$/, '');
}

/** Orders times, which without their Z sort as texts. */
export function byTime(one: string, other: string): number {
  const [a, b] = [one.replace(/Z$/, ''), other.replace(/Z$/, '')];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sentence without its links, with words of the log in backticks. */
export function sentenceText({ parts }: Pick<Sentence, 'parts'>): string {
  return parts.map(({ text, verbatim }) => (verbatim ? `\`${text}\`` : text)).join('');
}
