import type { Work } from './engine-measure.ts';

/** A figure of one measurement. */
export type Unit = 'MB/s' | 'events/s' | 'MB resident' | 's' | '× one thread' | '× without intel';

/** What detection-engine 4.4 requires (R) and aims at (G). */
export interface Target {
  readonly kind: string;
  readonly work: Work | 'process';
  readonly threads: number;
  readonly unit: Unit;
  readonly required: number;
  readonly goal: number | null;
}

const lowerIsBetter: ReadonlySet<Unit> = new Set(['MB resident', 's', '× without intel']);

const targets: readonly Target[] = [
  target('mixed', 'json', 1, 'MB/s', 100, 150),
  target('mixed', 'rules', 1, 'MB/s', 120, 200),
  target('mixed', 'rules', 1, 'events/s', 150_000, 250_000),
  target('security', 'rules', 1, 'MB/s', 130, 220),
  target('security', 'rules', 1, 'events/s', 140_000, null),
  target('sysmon', 'rules', 1, 'MB/s', 90, 150),
  target('sysmon', 'rules', 1, 'events/s', 65_000, 110_000),
  target('mixed', 'report', 1, '× without intel', 1.15, null),
  target('mixed', 'rules', 2, '× one thread', 1.8, 1.95),
  target('mixed', 'rules', 2, 'MB resident', 350, 250),
  target('mixed', 'process', 1, 's', 0.9, 0.5),
  target('large', 'visit', 1, 'MB/s', 1000, 2000),
  target('large', 'process', 2, 's', 4, 2.2),
  target('one small file', 'process', 1, 's', 0.25, 0.15),
  target('json', 'rules', 1, 'events/s', 80_000, 150_000),
  target('auditd', 'rules', 1, 'MB/s', 150, 300),
  target('syslog', 'rules', 1, 'MB/s', 150, 300),
];

/** The targets of a measurement beside its figures, such as `120 MB/s ✓ (200 ✗)`; empty where it has none. */
export function beside(
  kind: string,
  work: Target['work'],
  threads: number,
  figures: Partial<Readonly<Record<Unit, number>>>,
): string {
  return targets
    .filter((one) => one.kind === kind && one.work === work && one.threads === threads)
    .flatMap((one) => {
      const figure = figures[one.unit];
      if (figure === undefined) return [];
      const goal = one.goal === null ? '' : ` (${one.goal} ${mark(one.unit, figure, one.goal)})`;
      return `${one.required} ${one.unit} ${mark(one.unit, figure, one.required)}${goal}`;
    })
    .join(', ');
}

function mark(unit: Unit, figure: number, wanted: number): string {
  return (lowerIsBetter.has(unit) ? figure <= wanted : figure >= wanted) ? '✓' : '✗';
}

function target(
  kind: string,
  work: Target['work'],
  threads: number,
  unit: Unit,
  required: number,
  goal: number | null,
): Target {
  return { kind, work, threads, unit, required, goal };
}
