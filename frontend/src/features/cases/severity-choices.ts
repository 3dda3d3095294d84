import { severities } from '@svc/domain';
import { sentence } from '../../ui/format.ts';

/** How bad a case is held to be, or nothing. */
export const severityChoices: readonly (readonly [string, string])[] = [
  ['', 'Not said'],
  ...severities.map((severity) => [severity, sentence(severity)] as const),
];
