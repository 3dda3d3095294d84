import { counted, verdictOf, type ReadinessCheck, type ReadinessLevel } from '@svc/domain';
import { bold, faint, warning, type Style } from './style.ts';
import { printable } from './text.ts';

const marks: Readonly<Record<ReadinessLevel, { readonly word: string; readonly code: string }>> = {
  FAIL: { word: 'Error', code: '1;31' },
  WARN: { word: 'Warning', code: warning },
  INFO: { word: 'Note', code: '36' },
  PASS: { word: 'Well', code: '32' },
};

const verdicts = {
  ready: 'The service is ready.',
  ready_with_warnings: 'The service is ready, with warnings.',
  not_ready: 'The service is not ready.',
} as const;

/** What was found for people, the worst first, each with what mends it; then what is well, by name or in full. */
export function doctorReport(
  checks: readonly ReadinessCheck[],
  { isVerbose, style }: { readonly isVerbose: boolean; readonly style: Style },
): string {
  const of = (level: ReadinessLevel): readonly ReadinessCheck[] => checks.filter((one) => one.level === level);
  const block = ({ level, section, name, message, fix }: ReadinessCheck): string => {
    const { word, code } = marks[level];
    const head = `${style(code, `${word}:`)} ${style(bold, name)} ${style(faint, `(${section})`)}`;
    const lines = [head, `  ${printable(message)}.`, ...(fix === null ? [] : [`  → ${printable(fix)}.`])];
    return `${lines.join('\n')}\n`;
  };
  const told = [...of('FAIL'), ...of('WARN'), ...(isVerbose ? [...of('INFO'), ...of('PASS')] : [])].map(block);
  const well = of('PASS');
  const remarks = of('INFO').length;
  const more = remarks === 0 ? '' : `, and there ${remarks === 1 ? 'is' : 'are'} ${counted(remarks, 'remark')}`;
  const rest = isVerbose ? [] : [`${counted(well.length, 'check')} found nothing wrong${more}: svc doctor --verbose\n`];
  return [...told, ...rest, `${style(bold, verdicts[verdictOf(checks)])}\n`].join('\n');
}
