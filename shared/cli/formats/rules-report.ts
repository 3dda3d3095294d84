import type { RuleProblem } from '@svc/engine';
import { bold, severityColours, type Style, warning } from './style.ts';
import { columns, counted, number, printable } from './text.ts';

export interface Tree {
  readonly path: string;
  loaded: number;
  rejected: number;
  retired: number;
  warnings: number;
}

export interface LogSourceCount {
  readonly product: string | null;
  readonly category: string | null;
  readonly service: string | null;
  readonly rules: number;
  /** Whether any kind of log that can be read has such records. */
  readonly has_input: boolean;
}

/** What `svc rules check --format json` prints. */
export interface RulesReport {
  readonly files: number;
  /** Rules and correlations in force. */
  readonly loaded: number;
  readonly rejected: readonly RuleProblem[];
  readonly retired: readonly RuleProblem[];
  readonly warnings: readonly RuleProblem[];
  /** By the path named and the folder next below it. */
  readonly trees: readonly Readonly<Tree>[];
  /** Rules by log source, most first; correlations have none. */
  readonly log_sources: readonly LogSourceCount[];
}

interface Place {
  readonly width: number;
  readonly style: Style;
}

/** What became of rules, for people: what is of most interest stands last, where a terminal ends. */
export function rulesReport(report: RulesReport, place: Place): string {
  const { log_sources: sources, trees } = report;
  const table = [
    ['loaded', 'rejected', 'retired', 'warnings', 'in'],
    ...trees.map((one) => [one.loaded, one.rejected, one.retired, one.warnings, one.path]),
  ];
  const readable = sources.filter((one) => one.has_input);
  const others = sources.filter((one) => !one.has_input);
  const sections = [
    sourceLines('Rules by log source', readable, place),
    sourceLines('Rules for logs that cannot be read here yet', others, place),
    columns(table, place.width),
    problemLines(report, place),
    [totals(report, place)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** A line per product with its categories and services, most rules first. */
function sourceLines(title: string, sources: readonly LogSourceCount[], { width, style }: Place): string[] {
  if (sources.length === 0) return [];
  const byProduct = new Map<string, LogSourceCount[]>();
  for (const source of sources) {
    const product = printable(source.product ?? 'any product');
    byProduct.set(product, [...(byProduct.get(product) ?? []), source]);
  }
  const products = [...byProduct]
    .map(([product, own]) => ({ product, own, rules: own.reduce((sum, { rules }) => sum + rules, 0) }))
    .sort((one, other) => other.rules - one.rules);
  const widest = Math.max(...products.map(({ product }) => product.length));
  const widestCount = Math.max(...products.map(({ rules }) => number(rules).length));
  const lines = products.flatMap(({ product, own, rules }) => {
    const head = `  ${product.padEnd(widest)}  ${number(rules).padStart(widestCount)}  `;
    const parts = own.map((one) => `${nameIn(one)} ${number(one.rules)}`);
    return wrapped(parts, width - head.length).map((line, at) => (at === 0 ? head : ' '.repeat(head.length)) + line);
  });
  return [style(bold, title), ...lines];
}

function nameIn({ category, service }: LogSourceCount): string {
  const parts = [category, service].filter((part) => part !== null);
  return parts.length === 0 ? 'all of it' : printable(parts.join('/'));
}

/** Parts with commas between them, in lines of the width where that is possible. */
function wrapped(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [at, part] of parts.entries()) {
    const text = at === parts.length - 1 ? part : `${part},`;
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + text.length <= width) lines[lines.length - 1] = `${line} ${text}`;
    else lines.push(text);
  }
  return lines;
}

function problemLines({ rejected, warnings }: RulesReport, { style }: Place): string[] {
  return [
    ...rejected.map((one) => `${style(severityColours.high, 'rejected')}  ${textOf(one)}`),
    ...warnings.map((one) => `${style(warning, 'warning')}   ${textOf(one)}`),
  ];
}

function textOf({ path, line, message }: RuleProblem): string {
  return printable(`${path}:${line}: ${message}`);
}

function totals({ files, loaded, rejected, retired, warnings }: RulesReport, { style }: Place): string {
  const bad = `${number(rejected.length)} rejected`;
  return [
    style(bold, `${counted(loaded, 'rule')} loaded from ${counted(files, 'file')}`),
    rejected.length > 0 ? style(severityColours.high, bad) : bad,
    ...(retired.length > 0 ? [`${number(retired.length)} retired`] : []),
    counted(warnings.length, 'warning'),
  ].join(', ');
}
