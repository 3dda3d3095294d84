import type {
  Correlation,
  ExplainedRecord,
  Explanation,
  IdentifierExplanation,
  ItemExplanation,
  ViewExplanation,
} from '@svc/engine';
import type { Terminal } from '../terminal.ts';
import { cut, printable } from './text.ts';

/** Values shown of one item of which none holds; JSON has all. */
const shownValues = 8;

type ExplainedSource = Explanation['recordSources'][number];

type Mark = (holds: boolean) => string;

/**
 * Explanations for people: the verdict, then what the rule asks, part by part, with what the record has. Correlations
 * come first, as the rules are those that they count.
 */
export function explanationText(
  { explanations, head, number }: ExplainedRecord,
  correlations: readonly Correlation[],
  { width, colour }: Pick<Terminal, 'width' | 'colour'>,
): string {
  const style = (code: string, text: string): string => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const mark: Mark = (holds) => style(holds ? '32' : '31', holds ? '✓' : '✗');
  const place = [head.timestamp, head.computer, head.channel, head.eventId && `event ${head.eventId}`];
  const record = [`Record ${head.recordId ?? number} (#${number})`, ...place.filter((one) => one !== null)].join('  ');
  const heading = (verdict: string, title: string, level: string, path: string): string[] => [
    `${verdict}  ${style('1', printable(title))}  ${level}`,
    style('2', printable(path)),
  ];
  const counting = correlations.map((one) => [
    ...heading(style('1', 'Correlation'), one.title, one.level, one.path),
    '',
    `  ${printable(countingLine(one))}`,
  ]);
  const blocks = explanations.map((explanation) => [
    ...heading(
      explanation.matches ? style('1;32', 'Match') : style('1;31', 'No match'),
      explanation.ruleName,
      explanation.severity,
      explanation.path,
    ),
    ...explanation.views.flatMap((view) => ['', ...viewLines(explanation, view, mark)]),
  ]);
  return `${[[cut(printable(record), width)], ...counting, ...blocks]
    .map((lines) => lines.map((line) => (colour ? line : cut(line, width))).join('\n'))
    .join('\n\n')}\n`;
}

/** What a correlation makes of matches; no record meets it alone. */
function countingLine({ type, fields, groupBy, timespan }: Correlation): string {
  const what = [type, ...(fields.length > 0 ? ['of', fields.join(', ')] : [])].join(' ');
  const groups = groupBy.length > 0 ? ` by ${groupBy.join(', ')}` : '';
  return `${what} within ${timespan} s${groups}, over matches of the rules below; no record meets it alone`;
}

function viewLines(explanation: Explanation, view: ViewExplanation, mark: Mark): string[] {
  const { logSource, recordSources, matches } = explanation;
  const own = view.sourceHolds ? '' : `; the record is of ${recordSources.map((one) => names(one)).join(', ')}`;
  const through = view.mapping === null ? '' : `, its fields read by the mapping ${view.mapping}`;
  return [
    `  ${mark(view.sourceHolds)} log source  ${printable(names(logSource) + through + own)}`,
    ...view.conditions.map((one) => `  ${mark(view.conditionHolds)} condition   ${printable(one)}`),
    ...(view.isFiltered ? [`  ${mark(false)} filter      a Sigma filter takes the match away`] : []),
    ...view.identifiers.flatMap((identifier) => [
      '',
      `  ${mark(identifier.holds)} ${printable(identifier.name)}${matches ? '' : reason(identifier)}`,
      ...identifierLines(identifier, mark),
    ]),
  ];
}

function names({ product, category, service }: ExplainedSource): string {
  return [product, category, service].filter((one) => one !== undefined).join(' / ');
}

/** What a part that alone decides has to do with there being no match. */
function reason({ decides, holds }: IdentifierExplanation): string {
  if (!decides) return '';
  return holds ? '   ← the condition fails because this holds' : '   ← the condition fails because this does not hold';
}

function identifierLines({ alternatives }: IdentifierExplanation, mark: Mark): string[] {
  const several = alternatives.length > 1;
  return alternatives.flatMap(({ holds, items }, at) => [
    ...(several && items.length > 1 ? [`      ${mark(holds)} alternative ${at + 1} of ${alternatives.length}`] : []),
    ...items.flatMap((item) => itemLines(item, mark, several && items.length > 1 ? 8 : 6)),
  ]);
}

function itemLines({ key, field, found, holds, values }: ItemExplanation, mark: Mark, indent: number): string[] {
  const blank = ' '.repeat(indent);
  if (field === null) {
    const words = values.map(({ value }) => value).join(', ');
    return [`${blank}${mark(holds)} keyword ${printable(key === '' ? words : `${key}: ${words}`)}`];
  }
  const has = found === null ? 'the record has no such field' : found.map((text) => `"${text}"`).join(', ');
  const holding = values.filter((one) => one.holds);
  // Of a long list, those that hold say it all; if none does, some show what was looked for.
  const shown = holding.length > 0 && values.length > shownValues ? holding : values;
  const more = values.length - Math.min(shown.length, shownValues);
  return [
    `${blank}${mark(holds)} ${printable(key)}   ${printable(has)}`,
    ...shown.slice(0, shownValues).map((one) => `${blank}    ${mark(one.holds)} ${printable(withBlanks(one.value))}`),
    ...(more > 0
      ? [`${blank}    … and ${more} more${holding.length > 0 ? ' that do not hold' : ', none of which holds'}`]
      : []),
  ];
}

/** A value whose blanks at its ends, or whose emptiness, can be seen. */
function withBlanks(value: string): string {
  return value === value.trim() && value !== '' ? value : `"${value}"`;
}
