import { type Finding, severities } from '@svc/engine';

/** What ATT&CK 19, of which the rules of SigmaHQ speak, has made of techniques that ours still name. */
const renamed: Readonly<Record<string, string>> = { t1562: 't1685', 't1562.004': 't1686', 't1070.001': 't1685' };

/** Technique numbers, sub-techniques as their technique. */
export function techniquesOf(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => {
    const [, whole, technique] = /^attack\.((t\d{4})[.\d]*)$/i.exec(tag.toLowerCase()) ?? [];
    return whole === undefined ? [] : (renamed[whole] ?? renamed[technique!] ?? technique!);
  });
}

export const isGrave = ({ severity }: Finding): boolean => severities.indexOf(severity) <= severities.indexOf('medium');

/** Whether a finding names one of these techniques. */
export function agreeing(findings: readonly Finding[], techniques: ReadonlySet<string>): boolean {
  return findings.some(({ tags }) => techniquesOf(tags).some((one) => techniques.has(one)));
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
