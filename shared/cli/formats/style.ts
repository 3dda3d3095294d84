import type { Severity } from '@svc/domain';

/** Puts text into a colour or weight by its ANSI code, or leaves it as it is. */
export type Style = (code: string, text: string) => string;

export function styleFor(colour: boolean): Style {
  return (code, text) => (colour && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text);
}

/** ANSI codes. */
export const bold = '1';
export const faint = '2';
export const warning = '33';

export const severityColours: Readonly<Record<Severity, string>> = {
  critical: '1;31',
  high: '31',
  medium: '33',
  low: '34',
  informational: '90',
};

/** Severities as tables show them. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  informational: 'info',
};
