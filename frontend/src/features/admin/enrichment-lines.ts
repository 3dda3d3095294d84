import type { EnrichmentService } from '@svc/contracts';
import { graphVerdicts } from '@svc/domain';

type Fields = EnrichmentService['summary_fields'];
type Rules = EnrichmentService['verdict_rules'];

/** `name: value` for each line, as headers and summaries are written. */
export function pairsOf(text: string): [string, string][] {
  return linesOf(text).map((line) => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`“${line}” has no name and colon before its value`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
}

export function linesOfPairs(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name}: ${value}`).join('\n');
}

export function summaryFieldsOf(text: string): Fields {
  return pairsOf(text).map(([label, pointer]) => ({ label, pointer }));
}

/** `malicious: /data/score >= 75`, `clean: /classification = benign`, or `suspicious: /pulses` for what is there at all. */
export function verdictRulesOf(text: string): Rules {
  return pairsOf(text).map(([name, condition]) => {
    const verdict = graphVerdicts.find((one) => one === name);
    if (verdict === undefined) throw new Error(`“${name}” is no verdict; there are ${graphVerdicts.join(', ')}`);
    const [, pointer = '', how, value = ''] = /^(\/\S*)(?:\s*(>=|=)\s*(.+))?$/.exec(condition) ?? [];
    if (pointer === '') throw new Error(`“${condition}” does not begin with a pointer such as /data/score`);
    if (how === undefined) return { verdict, pointer };
    if (how === '=') return { verdict, pointer, is: value.trim() };
    const atLeast = Number(value);
    if (!Number.isFinite(atLeast)) throw new Error(`“${value}” is no number`);
    return { verdict, pointer, at_least: atLeast };
  });
}

export function linesOfVerdicts(rules: Rules): string {
  return rules
    .map(({ verdict, pointer, at_least: atLeast, is }) => {
      const condition = atLeast !== undefined ? ` >= ${atLeast}` : is !== undefined ? ` = ${is}` : '';
      return `${verdict}: ${pointer}${condition}`;
    })
    .join('\n');
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => line.trim() || []);
}
