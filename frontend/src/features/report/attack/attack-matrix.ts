import type { FindingRow } from '@svc/contracts';
import { attackPlaces, otherTactic, tactics, tacticsOf, type TacticGroup } from '@svc/domain';

/** Rules and matched events of a technique within a tactic. */
export interface MatrixCell {
  /** `T1059.001`; empty for rules that name none. */
  readonly technique: string;
  readonly rules: number;
  readonly events: number;
  /** Whether all of its rules name the tactic that it stands under, not the technique alone. */
  readonly isNamed: boolean;
}

export interface MatrixColumn {
  readonly tactic: TacticGroup;
  readonly rules: number;
  /** Of all findings that stand in it: that name the tactic (resolved-platform 8.2), or a technique of it alone. */
  readonly events: number;
  /** By id, so that sub-techniques follow theirs. */
  readonly cells: readonly MatrixCell[];
}

const groups: readonly TacticGroup[] = [...tactics, otherTactic];

interface Sum {
  rules: number;
  events: number;
  isNamed: boolean;
}

/** The tactics of the findings, in ATT&CK order, with the techniques that stand under each (`attackPlaces`). */
export function attackMatrix(findings: readonly FindingRow[]): MatrixColumn[] {
  const columns = new Map<TacticGroup, Sum & { cells: Map<string, Sum> }>();
  for (const { tags, count } of findings) {
    const named: readonly TacticGroup[] = tacticsOf(tags);
    const places = attackPlaces(tags);
    const isNamed = (tactic: TacticGroup): boolean => tactic === otherTactic || named.includes(tactic);
    for (const tactic of new Set(places.map((place) => place.tactic))) {
      const column = columns.get(tactic) ?? { ...none, cells: new Map<string, Sum>() };
      columns.set(tactic, column);
      add(column, count, isNamed(tactic));
    }
    for (const { tactic, technique } of places) {
      const { cells } = columns.get(tactic)!;
      const cell = cells.get(technique) ?? { ...none };
      cells.set(technique, cell);
      add(cell, count, isNamed(tactic));
    }
  }
  return groups.flatMap((tactic) => {
    const column = columns.get(tactic);
    if (column === undefined) return [];
    const cells = [...column.cells].map(([technique, sum]) => ({ technique, ...sum }));
    const { rules, events } = column;
    return [{ tactic, rules, events, cells: cells.sort((a, b) => (a.technique < b.technique ? -1 : 1)) }];
  });
}

const none: Sum = { rules: 0, events: 0, isNamed: true };

function add(sum: Sum, events: number, isNamed: boolean): void {
  sum.rules += 1;
  sum.events += events;
  sum.isNamed &&= isNamed;
}

/** Techniques in all columns, each once, and the events of the fullest cell. */
export function matrixTotals(columns: readonly MatrixColumn[]): { readonly techniques: number; readonly most: number } {
  const cells = columns.flatMap((column) => column.cells);
  const techniques = new Set(cells.map(({ technique }) => technique).filter((technique) => technique !== ''));
  return { techniques: techniques.size, most: Math.max(1, ...cells.map(({ events }) => events)) };
}
